// Parts of a row: cells of a fixed width, bars, and lines across the screen.
import { sanitiseLine } from '@roost/core/display/sanitise';
import { type Row, row, type Span, span } from '../screen/row.ts';
import type { Styles, Tone } from '../screen/styles.ts';
import { cutWithSign, widthOf } from '../screen/text.ts';

export function cell(text: string, width: number, styles: Styles, tone?: Tone): Span {
	const clean = fitted(text, width, styles);
	return span(clean + ' '.repeat(Math.max(0, width - widthOf(clean))), tone);
}

/** Right-aligned. */
export function numberCell(text: string, width: number, styles: Styles, tone?: Tone): Span {
	const clean = fitted(text, width, styles);
	return span(' '.repeat(Math.max(0, width - widthOf(clean))) + clean, tone);
}

/** `share`: 0 to 1; anything above 0 is visible. */
export function bar(share: number, width: number, styles: Styles, tone: Tone = 'accent'): Span[] {
	const sure = Number.isFinite(share) ? Math.min(1, Math.max(0, share)) : 0;
	const full = sure > 0 ? Math.max(1, Math.round(sure * width)) : 0;
	return [span(styles.glyphs.bar.repeat(full), tone), span(styles.glyphs.barEmpty.repeat(Math.max(0, width - full)), 'faint')];
}

function fitted(text: string, width: number, styles: Styles): string {
	const clean = sanitiseLine(text);
	return widthOf(clean) > width ? cutWithSign(clean, width, styles.glyphs.more) : clean;
}

export function divider(words: string, width: number, { glyphs }: Styles): Row {
	if (words === '') return row(span(glyphs.horizontal.repeat(width), 'faint'));
	const rest = Math.max(0, width - widthOf(sanitiseLine(words)) - 5);
	return row(
		span(`${glyphs.horizontal.repeat(3)} `, 'faint'),
		span(words, 'accent'),
		span(` ${glyphs.horizontal.repeat(rest)}`, 'faint'),
	);
}

export function elsewhere(below: boolean, above: boolean): string {
	return [below ? 'more below: PgDn' : '', above ? 'more above: PgUp' : ''].filter(Boolean).join(', ');
}
