import { describe, expect, it } from 'vitest';
import { counterWords, tokenWords } from './usage-words.ts';

describe('usage in words', () => {
	it('names only counters above zero', () => {
		expect(counterWords({ tool_uses: 3, tool_failures: 1, permission_requests: 0, blocks: 0 })).toBe('3 tool calls, 1 failed');
		expect(counterWords({ tool_uses: 0, tool_failures: 0, permission_requests: 0, blocks: 0 })).toBe('');
	});

	it.each([
		[{}, '1 in, 2 out, 3 read from the cache, 4 written to it'],
		[{ reasoning_tokens: 5 }, '1 in, 2 out (5 reasoning), 3 read from the cache, 4 written to it'],
	])('counts tokens with %j', (more, words) => {
		expect(tokenWords({ input_tokens: 1, output_tokens: 2, cache_read_tokens: 3, cache_write_tokens: 4, ...more })).toBe(words);
	});
});
