// Rows as plain text without colours: every remaining byte comes from the content.

import { type Row, toLine } from '@roost/cli/tui/screen/row';
import { createStyles, type Styles } from '@roost/cli/tui/screen/styles';

export function plainStyles(options: { ascii?: boolean } = {}): Styles {
	const { glyphs } = createStyles({ theme: 'dark', colour: false, ascii: options.ascii === true });
	return { glyphs, paint: (_, text) => text, column: () => '' };
}

/** Without the blanks at the ends of lines. */
export function toText(rows: Iterable<Row>, width: number, styles = plainStyles()): string {
	return [...rows].map((row) => toLine(row, width, styles).trimEnd()).join('\n');
}
