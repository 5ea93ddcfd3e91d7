// Where a line is broken to fit a width: between words where it can be, between characters where it must be. Linear in the line.
import { cut } from '../screen/text.ts';

/** A piece of a line, as places in it. What lies between two pieces is the one space the break replaced. */
export type Piece = { readonly from: number; readonly to: number };

/** `line` is safe to show and has no tabs; at least one piece, however short it is. */
export function* lineBreaks(line: string, width: number): Generator<Piece> {
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

/** As much as can be on one row and more; marks piled on one character without end are broken like anything else. */
export function nearText(line: string, from: number, width: number): string {
	const end = from + width * 8 + 64;
	const inCharacter = end < line.length && isHighSurrogate(line.charCodeAt(end - 1));
	return line.slice(from, inCharacter ? end - 1 : end);
}

const graphemes = new Intl.Segmenter(undefined, { granularity: 'grapheme' });

/** A character that is wider than the room still has to go somewhere. */
function firstCharacter(text: string): string {
	return graphemes.segment(text)[Symbol.iterator]().next().value?.segment ?? '';
}

function isHighSurrogate(code: number): boolean {
	return code >= 0xd800 && code < 0xdc00;
}
