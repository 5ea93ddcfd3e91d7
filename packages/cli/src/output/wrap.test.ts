import { describe, expect, it } from 'vitest';
import { wrap } from './table.ts';

describe('wrap', () => {
	it('breaks lines between words', () => {
		expect(wrap('one two three four', 9)).toEqual(['one two', 'three', 'four']);
		expect(wrap('one two', 7)).toEqual(['one two']);
	});

	it('keeps a word that is too long in one piece', () => {
		expect(wrap('run /a/very/long/path now', 5)).toEqual(['run', '/a/very/long/path', 'now']);
		expect(wrap('', 5)).toEqual(['']);
	});
});
