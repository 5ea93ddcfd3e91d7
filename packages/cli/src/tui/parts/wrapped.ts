// Text of any size as rows, made when they are needed: a huge output costs only what is shown.
import { linesOf } from '@roost/core/display/lines';
import { sanitiseBlock, sanitiseLine } from '@roost/core/display/sanitise';
import { type Row, rowWidth, type Span, span } from '../screen/row.ts';
import type { Tone } from '../screen/styles.ts';
import { cut, expandTabs } from '../screen/text.ts';

/** Wraps between words where possible; a final newline adds no row. */
export function* wrapped(text: string, width: number, tone?: Tone): Generator<Row> {
	for (const line of linesOf(text)) for (const piece of wrapLine(line, width)) yield [span(piece, tone)];
}

/** The same after a margin on the first row, indented on the others. */
export function* hanging(margin: readonly Span[], text: string, width: number, tone?: Tone): Generator<Row> {
	yield* behind(margin, wrapped(text, Math.max(1, width - rowWidth(margin)), tone));
}

/** Rows after a margin; at least one, for the margin itself. */
export function* behind(margin: readonly Span[], rows: Iterable<Row>): Generator<Row> {
	const blank = span(' '.repeat(rowWidth(margin)));
	let first = true;
	for (const row of rows) {
		yield first ? [...margin, ...row] : [blank, ...row];
		first = false;
	}
	if (first) yield margin;
}

/** Toned parts of one line, wrapped together. */
export function* wrappedSpans(spans: readonly Span[], width: number): Generator<Row> {
	const clean = spans.map((part) => ({ ...part, text: sanitiseLine(expandTabs(part.text)) }));
	for (const { from, to } of lineBreaks(clean.map(({ text }) => text).join(''), width)) yield sliceSpans(clean, from, to);
}

function* wrapLine(line: string, width: number): Generator<string> {
	let carried = '';
	for (const { chunk, last } of chunksOf(line)) {
		const clean = expandTabs(carried + sanitiseBlock(chunk));
		const pieces = [...lineBreaks(clean, width)];
		// The last row may continue in the next chunk.
		const open = last ? undefined : pieces.pop();
		for (const { from, to } of pieces) yield clean.slice(from, to);
		carried = open ? clean.slice(open.from) : '';
	}
}

const CHUNK = 4_096;
/** Characters here never combine with their neighbours. */
const CALM = /[\x21-\x7e](?=[\x21-\x7e]+$)/;
const LOOKED_BACK = 64;

function* chunksOf(line: string): Generator<{ chunk: string; last: boolean }> {
	let from = 0;
	while (line.length - from > CHUNK) {
		const tail = line.slice(from + CHUNK - LOOKED_BACK, from + CHUNK);
		const calm = CALM.exec(tail);
		const end = from + (calm ? CHUNK - LOOKED_BACK + calm.index + 1 : endOfCharacter(line, from + CHUNK) - from);
		yield { chunk: line.slice(from, end), last: false };
		from = end;
	}
	yield { chunk: line.slice(from), last: true };
}

function endOfCharacter(line: string, end: number): number {
	const code = line.charCodeAt(end - 1);
	return code >= 0xd800 && code < 0xdc00 ? end + 1 : end;
}

function sliceSpans(spans: readonly Span[], from: number, to: number): Row {
	const taken: Span[] = [];
	let start = 0;
	for (const part of spans) {
		const text = part.text.slice(Math.max(0, from - start), Math.max(0, to - start));
		if (text !== '') taken.push({ ...part, text });
		start += part.text.length;
	}
	return taken;
}

/** A range of a line. The space between two pieces is replaced by the break. */
type Piece = { readonly from: number; readonly to: number };

/** `line` is sanitised and has no tabs; yields at least one piece. */
function* lineBreaks(line: string, width: number): Generator<Piece> {
	const room = Math.max(1, width);
	let from = 0;
	while (true) {
		const near = nearText(line, from, room);
		const head = cut(near, room) || firstCharacter(near);
		const end = from + head.length;
		if (end >= line.length) return yield { from, to: line.length };
		const space = line[end] === ' ' ? head.length : head.lastIndexOf(' ');
		const to = space > 0 ? from + space : end;
		yield { from, to };
		from = space > 0 ? to + 1 : to;
		if (from >= line.length) return;
	}
}

/** More than fits on one row, but limited: endless combining marks are broken too. */
export function nearText(line: string, from: number, width: number): string {
	const end = from + width * 8 + 64;
	const inCharacter = end < line.length && isHighSurrogate(line.charCodeAt(end - 1));
	return line.slice(from, inCharacter ? end - 1 : end);
}

const graphemes = new Intl.Segmenter(undefined, { granularity: 'grapheme' });

/** A character wider than the room is still shown. */
function firstCharacter(text: string): string {
	return graphemes.segment(text)[Symbol.iterator]().next().value?.segment ?? '';
}

function isHighSurrogate(code: number): boolean {
	return code >= 0xd800 && code < 0xdc00;
}
