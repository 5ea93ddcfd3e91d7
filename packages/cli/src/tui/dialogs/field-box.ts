// A field in a dialog: behind a bar, and as much of it as there is room for around the cursor.
import type { Drawn, Room } from '../pane.ts';
import { drawField, type TextField } from '../parts/text-field.ts';
import { span } from '../screen/row.ts';

const BAR = 3;

export function fieldBox(field: TextField, most: number, { width, styles }: Room): Required<Drawn> {
	const { rows, cursor } = drawField(field, Math.max(1, width - BAR - 1), 'code');
	const height = Math.max(1, most);
	const top = Math.max(0, cursor.line - height + 1);
	const bar = span(` ${styles.glyphs.vertical} `, 'accent');
	return {
		rows: rows.slice(top, top + height).map((line) => [bar, ...line]),
		cursor: { line: cursor.line - top, column: cursor.column + BAR },
	};
}
