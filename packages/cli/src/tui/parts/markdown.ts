// Markdown as rows.
import type { Block, Item, Line, List, Span as MarkdownSpan, Table } from '@roost/core/display/markdown/block';
import { readMarkdown } from '@roost/core/display/markdown/read-markdown';
import { LONGEST_LINE } from '@roost/core/display/markdown/read-parts';
import { sanitiseLine } from '@roost/core/display/sanitise';
import { assertNever } from '@roost/protocol/assert-never';
import { EMPTY_ROW, type Row, row, type Span, span } from '../screen/row.ts';
import type { Styles, Tone } from '../screen/styles.ts';
import { widthOf } from '../screen/text.ts';
import { behind, hanging, wrapped, wrappedSpans } from './wrapped.ts';

type Look = { readonly width: number; readonly styles: Styles; readonly tone?: Tone };

export function* markdownRows(text: string, width: number, styles: Styles, tone?: Tone): Generator<Row> {
	for (const block of readMarkdown(text)) yield* blockRows(block, { width, styles, tone });
}

function* blockRows(block: Block, look: Look): Generator<Row> {
	const { width, styles, tone } = look;
	switch (block.type) {
		case 'paragraph':
			for (const line of block.lines) yield* lineRows(line, width, tone);
			return;
		case 'heading':
			return yield* wrappedSpans(toSpans(block.line, 'strong'), width);
		case 'quote':
			for (const line of block.lines) yield* quoteRows(line, look);
			return;
		case 'code':
			for (const line of block.lines) yield* hanging([span(`${styles.glyphs.vertical} `, 'faint')], line, width, 'code');
			return;
		case 'rule':
			return yield row(span(styles.glyphs.horizontal.repeat(Math.min(width, 40)), 'faint'));
		case 'blank':
			return yield* blankRows(block.count);
		case 'list':
			return yield* listRows(block, look);
		case 'table':
			return yield* tableRows(block, look);
		default:
			return assertNever(block);
	}
}

function* lineRows(line: Line, width: number, tone?: Tone): Generator<Row> {
	const [first] = line;
	// A long line is one span, and its rows are made when they are needed.
	if (first && first.text.length > LONGEST_LINE) yield* wrapped(first.text, width, tone);
	else yield* wrappedSpans(toSpans(line, tone), width);
}

function* quoteRows(line: Line, { width, styles }: Look): Generator<Row> {
	const margin = span(`${styles.glyphs.vertical} `, 'faint');
	for (const one of wrappedSpans(toSpans(line, 'faint'), Math.max(1, width - 2))) yield [margin, ...one];
}

function* blankRows(count: number): Generator<Row> {
	for (let made = 0; made < count; made += 1) yield EMPTY_ROW;
}

function* listRows({ items }: List, look: Look): Generator<Row> {
	for (const item of items) {
		yield* blankRows(item.gap);
		yield* itemRows(item, look);
		for (const list of item.lists) yield* listRows(list, look);
	}
}

function* itemRows({ indent, ordinal, done, line }: Item, { width, styles, tone }: Look): Generator<Row> {
	const { bullet, todoOpen, todoDone } = styles.glyphs;
	const sign = ordinal ?? (done === undefined ? bullet : done ? todoDone : todoOpen);
	const margin = [span(' '.repeat(indent)), span(`${sign} `, 'accent')];
	const used = margin.reduce((sum, part) => sum + part.text.length, 0);
	yield* behind(margin, wrappedSpans(toSpans(line, tone), Math.max(1, width - used)));
}

function toSpans(line: Line, tone?: Tone): Span[] {
	const spans: Span[] = [];
	let text = '';
	for (const part of line) {
		// Few terminals can strike text out: the marks are shown, as part of the text around them.
		if (part.type === 'text' || part.type === 'strike') {
			text += part.type === 'strike' ? `~~${part.text}~~` : part.text;
			continue;
		}
		if (text !== '') spans.push(span(text, tone));
		text = '';
		spans.push(...markedSpans(part, tone));
	}
	return text === '' && spans.length > 0 ? spans : [...spans, span(text, tone)];
}

function markedSpans(part: Exclude<MarkdownSpan, { type: 'text' | 'strike' }>, tone?: Tone): Span[] {
	if (part.type !== 'link' && part.type !== 'image') return [span(part.text, part.type)];
	return [...(part.text ? [span(`${part.text} `, tone)] : []), span(`(${part.address})`, 'faint')];
}

function* tableRows({ head, rows }: Table, { width, styles }: Look): Generator<Row> {
	const cells = [head, ...rows].map((line) => line.map(toPlain));
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

/** Markup does not count for the width of a column. */
function toPlain(cell: Line): string {
	return sanitiseLine(toSpans(cell).reduce((text, part) => text + part.text, ''));
}

/** Visits only cells that exist: one long line must not make each short one long. */
function columnWidths(cells: readonly string[][]): number[] {
	const widths: number[] = [];
	for (const line of cells) for (const [at, cell] of line.entries()) widths[at] = Math.max(widths[at] ?? 0, widthOf(cell));
	return widths;
}
