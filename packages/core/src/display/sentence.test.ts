import { describe, expect, it } from 'vitest';
import { plural } from './plural.ts';
import { toSentence } from './sentence.ts';

describe('toSentence', () => {
	it.each(['It failed', 'It failed.', 'It failed. ', 'It failed..'])('ends with one period: %j', (text) => {
		expect(toSentence(text)).toBe('It failed.');
	});
});

describe('plural', () => {
	it.each([
		[0, '0 tool calls'],
		[1, '1 tool call'],
		[2, '2 tool calls'],
	])('matches the noun to the count: %i', (count, words) => {
		expect(plural(count, 'tool call')).toBe(words);
	});
});
