import { describe, expect, it } from 'vitest';
import { plural } from './plural.ts';
import { toSentence } from './sentence.ts';

describe('a sentence', () => {
	it.each(['It failed', 'It failed.', 'It failed. ', 'It failed..'])('ends with one period: %j', (text) => {
		expect(toSentence(text)).toBe('It failed.');
	});
});

describe('an amount', () => {
	it.each([
		[0, '0 tool calls'],
		[1, '1 tool call'],
		[2, '2 tool calls'],
	])('agrees with its noun: %i', (count, words) => {
		expect(plural(count, 'tool call')).toBe(words);
	});
});
