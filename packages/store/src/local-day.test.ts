import { describe, expect, it } from 'vitest';
import { toLocalDay } from './local-day.ts';

describe('day of a timestamp', () => {
	it.each([
		['UTC', '2026-11-14'],
		['Asia/Kathmandu', '2026-11-15'],
		['America/Los_Angeles', '2026-11-14'],
	])('is in the local time zone: %s', (zone, day) => {
		const before = process.env.TZ;
		process.env.TZ = zone;
		try {
			expect(toLocalDay(Date.UTC(2026, 10, 14, 18, 20))).toBe(day);
		} finally {
			if (before === undefined) delete process.env.TZ;
			else process.env.TZ = before;
		}
	});

	it('is padded with zeros', () => {
		expect(toLocalDay(new Date(2026, 0, 2).getTime())).toBe('2026-01-02');
	});
});
