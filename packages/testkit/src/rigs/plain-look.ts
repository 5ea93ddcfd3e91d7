// Rows as a person would read them, without colours: every byte that is left comes from what is shown.
import { createLook, type Look } from '@roost/cli/tui/screen/look';
import { type Row, toLine } from '@roost/cli/tui/screen/row';

export function plainLook(options: { ascii?: boolean } = {}): Look {
	const { glyphs } = createLook({ theme: 'dark', colour: false, ascii: options.ascii === true });
	return { glyphs, paint: (_, text) => text, column: () => '' };
}

/** Without the blanks at the ends of lines. */
export function toText(rows: Iterable<Row>, width: number, look = plainLook()): string {
	return [...rows].map((row) => toLine(row, width, look).trimEnd()).join('\n');
}
