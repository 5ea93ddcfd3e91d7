// Markdown as rows, line by line: enough to read an agent's prose at ease. HTML has no meaning here, it is text.

import { type Row, row, span } from '../screen/row.ts';
import type { Styles, Tone } from '../screen/styles.ts';
import { inlineSpans } from './inline-markdown.ts';
import { isTableRule, tableRows } from './markdown-table.ts';
import { behind, hanging, linesOf, wrapped, wrappedSpans } from './wrapped.ts';

const FENCE = /^\s{0,3}(```+|~~~+)/u;
const HEADING = /^\s{0,3}#{1,6}\s+(.*?)\s*#*\s*$/u;
const RULE = /^\s{0,3}([-*_])(?:\s*\1){2,}\s*$/u;
const QUOTE = /^\s{0,3}>\s?(.*)$/u;
const ITEM = /^(\s*)(?:[-*+]|(\d{1,9}[.)]))\s+(?:\[([ xX])\]\s+)?(.*)$/u;
const TABLE_LINE = /^\s*\|.*\|\s*$/u;
/** A line beyond this is wrapped as plain text, a piece at a time. */
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
