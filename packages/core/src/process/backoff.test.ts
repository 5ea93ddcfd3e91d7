import { describe, expect, it } from 'vitest';
import { DEFAULT_BACKOFF, toDelay } from './backoff.ts';

describe('backoff', () => {
	it('doubles from one second up to thirty', () => {
		const almostOne = 1 - Number.EPSILON;
		const delays = [0, 1, 2, 3, 4, 5, 6, 1_000].map((attempt) => Math.round(toDelay(DEFAULT_BACKOFF, attempt, almostOne)));
		expect(delays).toEqual([1_000, 2_000, 4_000, 8_000, 16_000, 30_000, 30_000, 30_000]);
	});

	it('adds jitter between half of the delay and all of it', () => {
		expect(toDelay(DEFAULT_BACKOFF, 1, 0)).toBe(1_000);
		expect(toDelay(DEFAULT_BACKOFF, 1, 0.5)).toBe(1_500);
	});
});
