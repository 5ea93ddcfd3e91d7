import { describe, expect, it } from 'vitest';
import { clockTime } from './clock-time.ts';

const NOON = new Date(2026, 4, 4, 12, 5).getTime();
const HOUR = 3_600_000;

describe('time of the clock', () => {
	it.each([
		['today', NOON, '12:05'],
		['early today', NOON - 12 * HOUR, '00:05'],
		['yesterday', NOON - 13 * HOUR, '2026-05-03 23:05'],
	])('of %s', (_, at, words) => {
		expect(clockTime(at, NOON)).toBe(words);
	});
});
