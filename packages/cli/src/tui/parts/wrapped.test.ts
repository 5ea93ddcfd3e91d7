import { hostileStrings } from '@roost/testkit/fakes/hostile-strings';
import { toText } from '@roost/testkit/rigs/tui/plain-styles';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { rowWidth, span } from '../screen/row.ts';
import { createLazyRows } from './lazy-rows.ts';
import { hanging, wrapped, wrappedSpans } from './wrapped.ts';

describe('wrapped text', () => {
	it('breaks between words, and inside a word only if needed', () => {
		expect(toText(wrapped('the quick brown fox', 10), 10)).toBe('the quick\nbrown fox');
		expect(toText(wrapped('abcdefghijklmnop', 10), 10)).toBe('abcdefghij\nklmnop');
	});

	it('keeps empty lines but ignores a trailing newline', () => {
		expect(toText(wrapped('a\n\nb\n', 10), 10)).toBe('a\n\nb');
		expect([...wrapped('', 10)]).toEqual([]);
	});

	it('expands tabs and escapes control characters', () => {
		expect(toText(wrapped('a\tb\u001b[2J', 20), 20)).toBe('a   b\\x1b[2J');
	});

	it('never splits a wide or combined character', () => {
		expect(toText(wrapped('👩‍🚀👩‍🚀👩‍🚀', 4), 4)).toBe('👩‍🚀👩‍🚀\n👩‍🚀');
		expect(toText(wrapped('日本語', 5), 5)).toBe('日本\n語');
		expect(toText(wrapped('e\u0301e\u0301e\u0301', 2), 2)).toBe('e\u0301e\u0301\ne\u0301');
	});

	it('puts a character wider than the room on its own row', () => {
		expect([...wrapped('日本', 1)]).toHaveLength(2);
	});

	it('loses nothing but spaces and never exceeds the width', () => {
		fc.assert(
			fc.property(fc.stringMatching(/^[ -~]{0,400}$/), fc.integer({ min: 1, max: 60 }), (text, width) => {
				const rows = [...wrapped(text, width)].map((row) => row.map((part) => part.text).join(''));
				expect(rows.join('').replaceAll(' ', '')).toBe(text.replaceAll(' ', ''));
				expect(rows.filter((row) => row.length > width)).toEqual([]);
			}),
		);
	});

	it('keeps all words of a very long line', () => {
		const words = Array.from({ length: 4_000 }, (_, index) => `w${index}`).join(' ');
		expect([...wrapped(words, 70)].map((row) => row[0]?.text).join(' ')).toBe(words);
	});

	it('never exceeds the width for hostile text', () => {
		for (const text of hostileStrings()) {
			for (const width of [7, 40]) expect([...wrapped(text, width)].filter((row) => rowWidth(row) > width)).toEqual([]);
		}
	});

	it('produces no rows beyond the requested ones', () => {
		const huge = `${'first words and many more '.repeat(40_000)}\n`.repeat(4);
		let made = 0;
		const counted = (function* count() {
			for (const row of wrapped(huge, 80)) {
				made += 1;
				yield row;
			}
		})();
		expect(createLazyRows(counted).take(10, 20)).toHaveLength(20);
		expect(made).toBe(30);
	});
});

describe('text with a margin', () => {
	it('aligns continuation rows below the text', () => {
		expect(toText(hanging([span('$ ')], 'one two three\nfour', 9), 9)).toBe('$ one two\n  three\n  four');
	});

	it('keeps the margin if there is no text', () => {
		expect(toText(hanging([span('$ ')], '', 9), 9)).toBe('$');
	});
});

describe('wrapped spans', () => {
	it('keeps tones across a break', () => {
		const rows = [...wrappedSpans([span('one ', 'faint'), span('two three', 'strong')], 8)];
		expect(rows).toEqual([
			[
				{ text: 'one ', tone: 'faint' },
				{ text: 'two', tone: 'strong' },
			],
			[{ text: 'three', tone: 'strong' }],
		]);
	});

	it('measures control characters in their escaped form', () => {
		expect([...wrappedSpans([span('a\nb')], 3)].flat().map(({ text }) => text)).toEqual(['a\\n', 'b']);
	});
});
