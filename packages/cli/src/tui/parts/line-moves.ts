// The cursor of a text of several lines, up and down: it keeps its column and never stands inside a character.
import type { TextField } from './text-field.ts';

/** Null where there is no line in that direction. */
export function moveLine(field: TextField, step: 1 | -1): TextField | null {
	const { text, cursor } = field;
	const start = lineStart(text, cursor);
	const column = cursor - start;
	const from = step < 0 ? lineStart(text, start - 1) : text.indexOf('\n', cursor) + 1;
	if (step < 0 ? start === 0 : from === 0) return null;
	const end = text.indexOf('\n', from);
	const line = text.slice(from, end < 0 ? text.length : end);
	return { text, cursor: from + atCharacter(line, column) };
}

/** `lastIndexOf` would find a newline at the very start from before it. */
function lineStart(text: string, at: number): number {
	return text.slice(0, Math.max(0, at)).lastIndexOf('\n') + 1;
}

const graphemes = new Intl.Segmenter(undefined, { granularity: 'grapheme' });

function atCharacter(line: string, column: number): number {
	return graphemes.segment(line).containing(column)?.index ?? line.length;
}
