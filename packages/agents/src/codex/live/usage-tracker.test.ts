import { describe, expect, it } from 'vitest';
import { createUsageTracker } from '../rollout-files.ts';

/** The usage of this many calls as Codex reports it; each has 1234 tokens in (200 cached) and 56 out (7 for reasoning). */
const native = (calls: number) => ({
	inputTokens: 1234 * calls,
	cachedInputTokens: 200 * calls,
	cacheWriteInputTokens: 0,
	outputTokens: 56 * calls,
	reasoningOutputTokens: 7 * calls,
});
const used = (calls: number) => ({
	input_tokens: 1034 * calls,
	output_tokens: 56 * calls,
	cache_read_tokens: 200 * calls,
	cache_write_tokens: 0,
	reasoning_tokens: 7 * calls,
});
const sum = (calls: number) => ({ total: native(calls), last: native(1) });

describe('usage of a session', () => {
	it('is split by model from running totals, counting each total once', () => {
		const book = createUsageTracker();
		book.add('t', 'a', sum(1));
		book.add('t', 'a', sum(1));
		expect(book.add('t', 'b', sum(3))).toEqual({ a: used(1), b: used(2) });
	});

	it('includes subagent threads and excludes usage from before a fork', () => {
		const book = createUsageTracker();
		book.add('copy', 'a', sum(5));
		expect(book.add('sub', 'a', sum(1))).toEqual({ a: used(2) });
		book.begin('copy', native(5));
		expect(book.add('copy', 'a', sum(6))).toEqual({ a: used(3) });
	});

	it('continues from earlier usage and never decreases', () => {
		const book = createUsageTracker();
		book.startFrom({ a: used(2) });
		book.begin('t', native(2));
		expect(book.add('t', 'a', sum(1))).toEqual({ a: used(2) });
	});
});
