import { describe, expect, it } from 'vitest';
import { moveLine } from '../dialogs/composer.ts';

/** The bar marks the cursor. */
function move(shown: string, step: 1 | -1): string | null {
	const cursor = shown.indexOf('|');
	const moved = moveLine({ text: shown.replace('|', ''), cursor }, step);
	return moved && `${moved.text.slice(0, moved.cursor)}|${moved.text.slice(moved.cursor)}`;
}

describe('vertical cursor movement', () => {
	it.each([
		['one\ntw|o', -1, 'on|e\ntwo'],
		['on|e\ntwo', 1, 'one\ntw|o'],
		['longer|\nab\nc', 1, 'longer\nab|\nc'],
		['\n\n|', -1, '\n|\n'],
		['|\n\n', 1, '\n|\n'],
		['\n|', -1, '|\n'],
		['|\nab', 1, '\n|ab'],
		['|a\nb', 1, 'a\n|b'],
		['a\n|b', -1, '|a\nb'],
	] as const)('keeps the column if possible: %j %i', (before, step, after) => {
		expect(move(before, step)).toBe(after);
	});

	it.each([
		['on|e', -1],
		['one|', 1],
		['|', -1],
		['a\nb|', 1],
	] as const)('does not go beyond the first or last line: %j %i', (before, step) => {
		expect(move(before, step)).toBeNull();
	});

	it('does not stop inside a character', () => {
		expect(move('ab|c\n👩‍👩‍👧x', 1)).toBe('abc\n|👩‍👩‍👧x');
	});
});
