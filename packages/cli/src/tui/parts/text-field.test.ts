import { expect, it } from 'vitest';
import { drawField, fieldWith } from './text-field.ts';

it('wraps wide characters by their width without splitting or losing any', () => {
	const text = `${'日本'.repeat(50)}👍🏽a`;
	const { rows, cursor } = drawField(fieldWith(text), 9);
	const lines = rows.map((row) => row.map((part) => part.text).join(''));
	expect(lines.join('')).toBe(text);
	expect(lines[0]).toBe('日本日本');
	expect(lines.at(-1)).toBe('👍🏽a');
	expect(cursor).toEqual({ line: lines.length - 1, column: 3 });
});

it('draws an empty field as one row and adds a row when the last one is full', () => {
	expect(drawField(fieldWith(''), 5)).toEqual({ rows: [[{ text: '', tone: undefined }]], cursor: { line: 0, column: 0 } });
	expect(drawField(fieldWith('abcde'), 5)).toMatchObject({
		rows: [[{ text: 'abcde' }], [{ text: '' }]],
		cursor: { line: 1, column: 0 },
	});
});
