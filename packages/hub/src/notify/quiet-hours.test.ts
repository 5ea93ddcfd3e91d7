import { describe, expect, it } from 'vitest';
import { quietUntil } from './quiet-hours.ts';

const NIGHT = { quietHours: '22:00-07:00', timeZone: 'Europe/Berlin' };

describe('quiet hours', () => {
	it('end at the same time of the next morning, by the clock of the time zone', () => {
		// Berlin is one hour ahead in winter and two in summer.
		expect(end(NIGHT, '2026-11-15T20:59:59Z')).toBeUndefined();
		expect(end(NIGHT, '2026-11-15T21:00:00Z')).toBe('2026-11-16T06:00:00.000Z');
		expect(end(NIGHT, '2026-11-16T05:59:59Z')).toBe('2026-11-16T06:00:00.000Z');
		expect(end(NIGHT, '2026-11-16T06:00:00Z')).toBeUndefined();
		expect(end(NIGHT, '2026-07-15T20:30:00Z')).toBe('2026-07-16T05:00:00.000Z');
	});

	it('may be within one day, and are none without an entry or between equal times', () => {
		const noon = { quietHours: '12:00-13:30', timeZone: 'UTC' };
		expect(end(noon, '2026-11-15T12:10:30Z')).toBe('2026-11-15T13:30:00.000Z');
		expect(end(noon, '2026-11-15T13:30:00Z')).toBeUndefined();
		expect(end({}, '2026-11-15T12:10:30Z')).toBeUndefined();
		expect(end({ quietHours: '12:00-12:00', timeZone: 'UTC' }, '2026-11-15T12:00:00Z')).toBeUndefined();
	});

	it('end early or late in a night in which the clock is changed, and are asked again', () => {
		// On 25 October the clock goes from 3:00 back to 2:00, so that the morning is an hour later.
		expect(end(NIGHT, '2026-10-24T20:00:00Z')).toBe('2026-10-25T05:00:00.000Z');
		expect(end(NIGHT, '2026-10-25T05:00:00Z')).toBe('2026-10-25T06:00:00.000Z');
	});
});

function end(hours: Parameters<typeof quietUntil>[0], at: string): string | undefined {
	const until = quietUntil(hours, Date.parse(at));
	return until === undefined ? undefined : new Date(until).toISOString();
}
