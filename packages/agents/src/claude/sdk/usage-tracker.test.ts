import { describe, expect, it } from 'vitest';
import { createUsageTracker } from './usage-tracker.ts';

const api = (input_tokens: number, output_tokens: number) => ({ input_tokens, output_tokens });
const sum = (inputTokens: number, outputTokens: number) => ({ m: { inputTokens, outputTokens } });
const inAndOut = (totals: ReturnType<ReturnType<typeof createUsageTracker>['totals']>) =>
	totals && [totals.m?.input_tokens, totals.m?.output_tokens];

describe('session usage', () => {
	it('counts a streaming message once and matches the total at the end of the turn', () => {
		const book = createUsageTracker('nothing');
		book.message('a', 'm', api(10, 1));
		book.message('a', 'm', api(10, 5));
		expect(inAndOut(book.totals())).toEqual([10, 5]);
		book.turnEnded(sum(30, 8));
		expect(inAndOut(book.totals())).toEqual([30, 8]);
		book.message('b', 'm', api(1, 1));
		expect(inAndOut(book.totals())).toEqual([31, 9]);
		book.turnEnded(sum(31, 9));
		expect(inAndOut(book.totals())).toEqual([31, 9]);
	});

	it('keeps a message that was cut off and is missing from the total', () => {
		const book = createUsageTracker('nothing');
		book.message('a', 'm', api(10, 1));
		book.turnEnded({});
		expect(inAndOut(book.totals())).toEqual([10, 1]);
	});

	it('keeps adding when the reported total restarts', () => {
		const book = createUsageTracker('nothing');
		book.turnEnded(sum(100, 10));
		book.turnEnded(sum(7, 1));
		expect(inAndOut(book.totals())).toEqual([107, 11]);
	});

	it('is unknown in a resumed session until the first turn has ended', () => {
		const book = createUsageTracker('own');
		book.message('a', 'm', api(10, 1));
		expect(book.totals()).toBeNull();
		book.turnEnded(sum(500, 50));
		expect(inAndOut(book.totals())).toEqual([500, 50]);
	});

	it('excludes usage from before this session', () => {
		const book = createUsageTracker('foreign');
		book.message('a', 'm', api(10, 1));
		expect(inAndOut(book.totals())).toEqual([10, 1]);
		book.turnEnded(sum(500, 50));
		expect(inAndOut(book.totals())).toEqual([10, 1]);
		book.turnEnded(sum(520, 53));
		expect(inAndOut(book.totals())).toEqual([30, 4]);
	});

	it('ignores malformed usage', () => {
		const book = createUsageTracker('nothing');
		book.message('a', 'm', 'much');
		book.turnEnded(['much']);
		expect(book.totals()).toEqual({});
	});
});
