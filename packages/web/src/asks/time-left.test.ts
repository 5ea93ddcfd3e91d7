import { expect, it } from 'vitest';
import { timeLeft } from './time-left.ts';

it.each([
	[0, 'expired'],
	[1, '0:01 left'],
	[61_000, '1:01 left'],
	[3_599_000, '59:59 left'],
	[7_300_000, '2 h left'],
])('shows %i ms as "%s"', (ms, words) => {
	expect(timeLeft(1_000 + ms, 1_000)).toBe(words);
});
