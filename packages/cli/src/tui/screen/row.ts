// Rows of toned text. They become bytes only here, where agent text is sanitised.
import { sanitiseLine } from '@roost/core/display/sanitise';
import type { Styles, Tone } from './styles.ts';
import { cutWithSign, isPlain, widthOf } from './text.ts';

/** `text` may come from an agent: it is sanitised on the way to the screen. */
export type Span = {
	text: string;
	tone?: Tone;
	over?: Tone;
	/** Starts in its column even if the terminal measures an emoji before it differently. */
	fixed?: boolean;
};

export type Row = readonly Span[];

export const EMPTY_ROW: Row = [];

export function row(...parts: readonly (Span | string)[]): Row {
	return parts.map((part) => (typeof part === 'string' ? { text: part } : part));
}

export function span(text: string, tone?: Tone): Span {
	return { text, tone };
}

/** The right part is always shown; the left part is cut if there is not enough room. */
export function spread(left: Row, right: Row, width: number, styles: Styles): Row {
	const room = Math.max(0, width - rowWidth(right) - 1);
	const fitted = fitRow(left, room, styles);
	const gap = { text: ' '.repeat(Math.max(0, width - rowWidth(fitted) - rowWidth(right))) };
	return [...fitted, gap, ...right.map((part, index) => (index === 0 ? { ...part, fixed: true } : part))];
}

export function rowWidth(spans: Row): number {
	return spans.reduce((sum, { text }) => sum + widthOf(sanitiseLine(text)), 0);
}

/** Cuts with an ellipsis. */
export function fitRow(spans: Row, width: number, styles: Styles): Row {
	const fitted: Span[] = [];
	let room = width;
	for (const [index, part] of spans.entries()) {
		const clean = sanitiseLine(part.text);
		const size = widthOf(clean);
		const rest = index < spans.length - 1 && spans.slice(index + 1).some((later) => later.text !== '');
		if (size < room || (size === room && !rest)) {
			fitted.push({ ...part, text: clean });
			room -= size;
			continue;
		}
		if (room > 0) fitted.push({ ...part, text: cutWithSign(clean, room, styles.glyphs.more) });
		return fitted;
	}
	return fitted;
}

/** Exactly this wide, coloured; starts in column `from`. */
export function toLine(spans: Row, width: number, styles: Styles, from = 0): string {
	const known = lines.get(spans);
	if (known && known.width === width && known.styles === styles && known.from === from) return known.line;
	const fitted = fitRow(spans, width, styles);
	const used = fitted.reduce((sum, { text }) => sum + widthOf(text), 0);
	const over = fitted[0]?.over;
	const rest: Span = { text: ' '.repeat(Math.max(0, width - used)), over };
	const line = paintSpans([...fitted, rest], styles, from);
	lines.set(spans, { width, styles, from, line });
	return line;
}

/** Unchanged rows are the same objects, so their lines are cached. */
const lines = new WeakMap<Row, { width: number; styles: Styles; from: number; line: string }>();

function paintSpans(spans: Row, styles: Styles, from: number): string {
	let line = '';
	let column = from;
	let isSure = true;
	for (const { text, tone, over, fixed } of spans) {
		if (fixed && !isSure) line += styles.column(column);
		isSure = (isSure || fixed === true) && isPlain(text);
		line += styles.paint(tone, text, over);
		column += widthOf(text);
	}
	return line;
}

export function selectRow(spans: Row): Row {
	return spans.length === 0 ? [{ text: '', over: 'selected' }] : spans.map((part) => ({ ...part, over: 'selected' }));
}

/** For panes without focus. */
export function unselectRow(spans: Row): Row {
	return spans.some(({ over }) => over !== undefined) ? spans.map(({ over: _, ...part }) => part) : spans;
}
