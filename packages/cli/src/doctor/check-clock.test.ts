import { describe, expect, it } from 'vitest';
import { checkClock } from './check-machine.ts';

const NOW = Date.parse('2030-01-01T00:00:00Z');

describe('clock check', () => {
	it('passes when the clock is past every known event', () => {
		const past = [{ what: 'this Roost was built', at: NOW + 59_000 }];
		expect(checkClock({ now: NOW, expected: NOW + 1_000, past })).toMatchObject([
			{ state: 'ok', says: '2030-01-01T00:00:00.000Z' },
		]);
	});

	it('fails when the clock is before a known event', () => {
		const past = [
			{ what: 'this Roost was built', at: 0 },
			{ what: 'the runner started', at: NOW + 61_000 },
		];
		expect(checkClock({ now: NOW, expected: NOW, past })).toMatchObject([
			{ state: 'fail', says: expect.stringContaining('before the runner started'), remedy: expect.stringContaining('clock') },
		]);
	});

	it.each([-3_000, 3_000])('warns when the clock jumped by %i ms during the check', (step) => {
		expect(checkClock({ now: NOW, expected: NOW + step, past: [] })).toMatchObject([{ state: 'warn' }]);
	});
});
