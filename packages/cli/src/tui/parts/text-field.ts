// A text field: cursor, editing keys and drawing. One line or many.
import { sanitiseLine } from '@roost/core/display/sanitise';
import type { Binding } from '../keys/keymap.ts';
import type { Drawn, Room } from '../pane.ts';
import type { Cursor } from '../screen/painter.ts';
import { type Row, row, span } from '../screen/row.ts';
import type { Tone } from '../screen/styles.ts';
import { cut, expandTabs, widthOf } from '../screen/text.ts';
import { nearText } from './wrapped.ts';

/** `cursor` counts UTF-16 units and is never inside a character. */
export type TextField = { readonly text: string; readonly cursor: number };

export const EMPTY_FIELD: TextField = { text: '', cursor: 0 };

export function fieldWith(text: string): TextField {
	return { text, cursor: text.length };
}

export const EDITING: readonly Binding[] = [
	{ keys: ['left', 'ctrl+b'], action: 'edit:left' },
	{ keys: ['right', 'ctrl+f'], action: 'edit:right' },
	{ keys: ['home', 'ctrl+a'], action: 'edit:home' },
	{ keys: ['end', 'ctrl+e'], action: 'edit:end' },
	{ keys: ['backspace', 'ctrl+h'], action: 'edit:backspace' },
	{ keys: ['delete', 'ctrl+d'], action: 'edit:delete' },
	{ keys: ['ctrl+w', 'alt+backspace'], action: 'edit:delete-word', help: 'delete a word' },
	{ keys: ['ctrl+u'], action: 'edit:delete-line', help: 'delete to the start' },
	{ keys: ['ctrl+k'], action: 'edit:delete-rest', help: 'delete to the end' },
];

export function insert(field: TextField, text: string): TextField {
	const { before, after } = split(field);
	return { text: before + text + after, cursor: before.length + text.length };
}

/** Null if the action does not edit. */
export function edit(field: TextField, action: string): TextField | null {
	const { before, after } = split(field);
	switch (action) {
		case 'edit:left':
			return { ...field, cursor: before.length - lastCharacter(before).length };
		case 'edit:right':
			return { ...field, cursor: before.length + firstCharacter(after).length };
		case 'edit:home':
			return { ...field, cursor: lineStart(before) };
		case 'edit:end':
			return { ...field, cursor: before.length + lineLength(after) };
		case 'edit:backspace':
			return join(before.slice(0, before.length - lastCharacter(before).length), after);
		case 'edit:delete':
			return join(before, after.slice(firstCharacter(after).length));
		case 'edit:delete-word':
			return join(before.replace(/\S*\s*$/u, ''), after);
		case 'edit:delete-line':
			return join(before.slice(0, lineStart(before)), after);
		case 'edit:delete-rest':
			return join(before, after.slice(lineLength(after)));
		default:
			return null;
	}
}

/** Rows wrapped at any character, with the position of the cursor. */
export function drawField(field: TextField, width: number, tone?: Tone): { rows: Row[]; cursor: Cursor } {
	const { before } = split(field);
	const rows = toLines(field.text, width);
	const upToCursor = toLines(before, width);
	const last = upToCursor.at(-1) ?? '';
	const full = widthOf(last) >= width;
	const cursor = full ? { line: upToCursor.length, column: 0 } : { line: upToCursor.length - 1, column: widthOf(last) };
	if (cursor.line >= rows.length) rows.push('');
	return { rows: rows.map((line) => row(span(line, tone))), cursor };
}

function toLines(text: string, width: number): string[] {
	return text.split('\n').flatMap((line) => chop(sanitiseLine(expandTabs(line)), Math.max(1, width)));
}

function chop(line: string, width: number): string[] {
	if (line === '') return [''];
	const pieces: string[] = [];
	for (let from = 0; from < line.length; from += pieces.at(-1)?.length ?? line.length) {
		const near = nearText(line, from, width);
		pieces.push(cut(near, width) || firstCharacter(near));
	}
	return pieces;
}

function split({ text, cursor }: TextField): { before: string; after: string } {
	return { before: text.slice(0, cursor), after: text.slice(cursor) };
}

function join(before: string, after: string): TextField {
	return { text: before + after, cursor: before.length };
}

const graphemes = new Intl.Segmenter(undefined, { granularity: 'grapheme' });
const LONGEST_CHARACTER = 64;

function firstCharacter(text: string): string {
	return graphemes.segment(text.slice(0, LONGEST_CHARACTER))[Symbol.iterator]().next().value?.segment ?? '';
}

function lastCharacter(text: string): string {
	return [...graphemes.segment(text.slice(-LONGEST_CHARACTER))].at(-1)?.segment ?? '';
}

function lineStart(before: string): number {
	return before.lastIndexOf('\n') + 1;
}

function lineLength(after: string): number {
	const end = after.indexOf('\n');
	return end < 0 ? after.length : end;
}

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
