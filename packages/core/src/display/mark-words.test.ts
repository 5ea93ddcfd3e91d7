import { describe, expect, it } from 'vitest';
import { markWords } from './mark-words.ts';

const marked = (text: string, words: string) =>
	markWords(text, words)
		.map((part) => (part.isHit ? `[${part.text}]` : part.text))
		.join('');

describe('words of a search in a text', () => {
	it('are marked where they begin, in any case', () => {
		expect(marked('The heron left; herons return.', 'Heron left')).toBe('The [heron] [left]; [heron]s return.');
		expect(marked('rebuild the build', 'build')).toBe('rebuild the [build]');
		expect(marked('in the index', 'in index')).toBe('[in] the [index]');
	});

	it('are plain text, not a pattern', () => {
		expect(marked('a.b (c) axb', 'a.b (c)')).toBe('[a.b] [(c)] axb');
		expect(marked('nothing', '  ')).toBe('nothing');
		expect(markWords('', 'x')).toEqual([]);
	});
});
