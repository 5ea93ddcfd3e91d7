// Markdown as rows. HTML is shown as text.
import { sanitiseLine } from '@roost/core/display/sanitise';
import { type Row, row, type Span, span } from '../screen/row.ts';
import type { Styles, Tone } from '../screen/styles.ts';
import { widthOf } from '../screen/text.ts';
import { behind, hanging, linesOf, wrapped, wrappedSpans } from './wrapped.ts';

const FENCE = /^\s{0,3}(```+|~~~+)/u;
const HEADING = /^\s{0,3}#{1,6}\s+(.*?)\s*#*\s*$/u;
const RULE = /^\s{0,3}([-*_])(?:\s*\1){2,}\s*$/u;
const QUOTE = /^\s{0,3}>\s?(.*)$/u;
const ITEM = /^(\s*)(?:[-*+]|(\d{1,9}[.)]))\s+(?:\[([ xX])\]\s+)?(.*)$/u;
const TABLE_LINE = /^\s*\|.*\|\s*$/u;
/** Longer lines are wrapped as plain text. */
const LONGEST = 4_096;

export function* markdownRows(text: string, width: number, styles: Styles, tone?: Tone): Generator<Row> {
	let fence: string | undefined;
	let table: string[] = [];
	for (const line of linesOf(text)) {
		if (fence === undefined && isTableLine(line)) {
			table.push(line);
			continue;
		}
		yield* drawTable(table, width, styles);
		table = [];
		const mark = FENCE.exec(line)?.[1];
		if (fence === undefined && mark !== undefined) {
			fence = mark;
		} else if (fence !== undefined && mark?.startsWith(fence)) {
			fence = undefined;
		} else if (fence !== undefined) {
			yield* hanging([span(`${styles.glyphs.vertical} `, 'faint')], line, width, 'code');
		} else {
			yield* lineRows(line, width, styles, tone);
		}
	}
	yield* drawTable(table, width, styles);
}

function isTableLine(line: string): boolean {
	return line.length <= LONGEST && TABLE_LINE.test(line);
}

function drawTable(lines: readonly string[], width: number, styles: Styles): Iterable<Row> {
	if (lines.length === 0) return [];
	return isTableRule(lines[1] ?? '') ? tableRows(lines, width, styles) : wrapped(lines.join('\n'), width);
}

function* lineRows(line: string, width: number, styles: Styles, tone?: Tone): Generator<Row> {
	if (line.length > LONGEST) return yield* wrapped(line, width, tone);
	const heading = HEADING.exec(line)?.[1];
	if (heading !== undefined) return yield* wrappedSpans(inlineSpans(heading, 'strong'), width);
	if (RULE.test(line)) return yield row(span(styles.glyphs.horizontal.repeat(Math.min(width, 40)), 'faint'));
	const quote = QUOTE.exec(line)?.[1];
	if (quote !== undefined) {
		const margin = span(`${styles.glyphs.vertical} `, 'faint');
		return yield* withMargin(margin, wrappedSpans(inlineSpans(quote, 'faint'), Math.max(1, width - 2)));
	}
	const item = ITEM.exec(line);
	if (item) return yield* itemRows(item, width, styles, tone);
	yield* wrappedSpans(inlineSpans(line, tone), width);
}

function* withMargin(margin: Row[number], rows: Iterable<Row>): Generator<Row> {
	for (const one of rows) yield [margin, ...one];
}

const DEEPEST = 12;

function* itemRows([, indent = '', number, box, text = '']: RegExpExecArray, width: number, styles: Styles, tone?: Tone) {
	const { bullet, todoOpen, todoDone } = styles.glyphs;
	const sign = number ?? (box === undefined ? bullet : box === ' ' ? todoOpen : todoDone);
	const margin = [span(' '.repeat(Math.min(indent.replaceAll('\t', '  ').length, DEEPEST))), span(`${sign} `, 'accent')];
	const used = margin.reduce((sum, part) => sum + part.text.length, 0);
	yield* behind(margin, wrappedSpans(inlineSpans(text, tone), Math.max(1, width - used)));
}

const LONGEST_LINE = 4_096;

const TOKEN = new RegExp(
	[
		'(?<ticks>`+)(?<code>[^`]+)\\k<ticks>(?!`)',
		'!?\\[(?<label>[^\\]\\n]{0,500})\\]\\((?<address>[^()\\s]{1,2000})\\)',
		'\\*\\*(?=\\S)(?<strong>[^*]+)\\*\\*',
		'(?<![\\w*])(?<mark>[*_])(?=\\S)(?<emphasis>[^*_]+)(?<=\\S)\\k<mark>(?![\\w*])',
	].join('|'),
	'gu',
);

function inlineSpans(line: string, tone?: Tone): Span[] {
	if (line.length > LONGEST_LINE) return [span(line, tone)];
	const spans: Span[] = [];
	let from = 0;
	for (const found of line.matchAll(TOKEN)) {
		if (found.index > from) spans.push(span(line.slice(from, found.index), tone));
		spans.push(...toSpans(found.groups ?? {}, tone));
		from = found.index + found[0].length;
	}
	if (from < line.length || spans.length === 0) spans.push(span(line.slice(from), tone));
	return spans;
}

function toSpans({ code, label, address, strong, emphasis }: Record<string, string | undefined>, tone?: Tone): Span[] {
	if (code !== undefined) return [span(code, 'code')];
	if (strong !== undefined) return [span(strong, 'strong')];
	if (emphasis !== undefined) return [span(emphasis, 'emphasis')];
	const words = label ? [span(`${label} `, tone)] : [];
	return [...words, span(`(${address})`, 'faint')];
}

function isTableRule(line: string): boolean {
	return /^[\s|:-]+$/u.test(line) && line.includes('-');
}

function* tableRows(lines: readonly string[], width: number, styles: Styles): Generator<Row> {
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

/** Each line of the table as a list of headings and cells. */
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

/** Markup does not count for the width of a column. */
function toPlain(cell: string): string {
	return sanitiseLine(inlineSpans(cell).reduce((text, part) => text + part.text, ''));
}

function columnWidths(cells: readonly string[][]): number[] {
	const count = cells.reduce((most, line) => Math.max(most, line.length), 0);
	return Array.from({ length: count }, (_, at) => cells.reduce((widest, line) => Math.max(widest, widthOf(line[at] ?? '')), 0));
}
