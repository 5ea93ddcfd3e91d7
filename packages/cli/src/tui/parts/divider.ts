// A line across the screen, with a few words in it where there is something to say.
import { sanitiseLine } from '@roost/core/display/sanitise';
import { type Row, row, span } from '../screen/row.ts';
import type { Styles } from '../screen/styles.ts';
import { widthOf } from '../screen/text.ts';

export function divider(words: string, width: number, { glyphs }: Styles): Row {
	if (words === '') return row(span(glyphs.horizontal.repeat(width), 'faint'));
	const rest = Math.max(0, width - widthOf(sanitiseLine(words)) - 5);
	return row(
		span(`${glyphs.horizontal.repeat(3)} `, 'faint'),
		span(words, 'accent'),
		span(` ${glyphs.horizontal.repeat(rest)}`, 'faint'),
	);
}

/** Says where the rest of something is that does not fit. */
export function elsewhere(below: boolean, above: boolean): string {
	return [below ? 'more below: PgDn' : '', above ? 'more above: PgUp' : ''].filter(Boolean).join(', ');
}
