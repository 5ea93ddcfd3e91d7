// A markdown table as rows: columns straight where there is room for them, and readable lines where there is not.
import { sanitiseLine } from '@roost/core/display/sanitise';
import { type Row, row, span } from '../screen/row.ts';
import type { Styles } from '../screen/styles.ts';
import { widthOf } from '../screen/text.ts';
import { inlineSpans } from './inline-markdown.ts';
import { wrappedSpans } from './wrapped.ts';

/** The line below the headings. */
export function isTableRule(line: string): boolean {
	return /^[\s|:-]+$/u.test(line) && line.includes('-');
}

export function* tableRows(lines: readonly string[], width: number, styles: Styles): Generator<Row> {
	const cells = lines.filter((_, index) => index !== 1).map(toCells);
	const columns = columnWidths(cells);
	const between = ` ${styles.glyphs.vertical} `;
	const needed = columns.reduce((sum, column) => sum + column, 0) + between.length * (columns.length - 1);
	if (needed > width) return yield* narrowRows(cells, width);
	for (const [index, line] of cells.entries()) {
		yield columns.flatMap((column, at) => {
			const text = line[at] ?? '';
			const gap = ' '.repeat(Math.max(0, column - widthOf(text)));
			return [...(at > 0 ? [span(between, 'faint')] : []), span(text, index === 0 ? 'strong' : undefined), span(gap)];
		});
		if (index === 0) yield row(span(styles.glyphs.horizontal.repeat(needed), 'faint'));
	}
}

/** Each line of the table as a small list of its own: heading and cell. */
function* narrowRows([headings = [], ...lines]: readonly string[][], width: number): Generator<Row> {
	for (const [index, line] of lines.entries()) {
		if (index > 0) yield [];
		for (const [at, cell] of line.entries()) {
			yield* wrappedSpans([span(`${headings[at] ?? ''}: `, 'strong'), span(cell)], width);
		}
	}
}

function toCells(line: string): string[] {
	const inner = line.trim().replace(/^\||\|$/gu, '');
	return inner.split(/(?<!\\)\|/u).map((cell) => toPlain(cell.trim().replaceAll('\\|', '|')));
}

/** Marks take no part in the width of a column. */
function toPlain(cell: string): string {
	return sanitiseLine(inlineSpans(cell).reduce((text, part) => text + part.text, ''));
}

function columnWidths(cells: readonly string[][]): number[] {
	const count = cells.reduce((most, line) => Math.max(most, line.length), 0);
	return Array.from({ length: count }, (_, at) => cells.reduce((widest, line) => Math.max(widest, widthOf(line[at] ?? '')), 0));
}
