import { describe, expect, it } from 'vitest';
import { checkClock } from './check-machine.ts';

const NOW = Date.parse('2030-01-01T00:00:00Z');

describe('the clock', () => {
	it('is fine where everything on record lies behind it', () => {
		const past = [{ what: 'this Roost was built', at: NOW + 59_000 }];
		expect(checkClock({ now: NOW, expected: NOW + 1_000, past })).toMatchObject([
			{ state: 'ok', says: '2030-01-01T00:00:00.000Z' },
		]);
	});

	it('is wrong where it lies before something that has happened', () => {
		const past = [
			{ what: 'this Roost was built', at: 0 },
			{ what: 'the runner started', at: NOW + 61_000 },
		];
		expect(checkClock({ now: NOW, expected: NOW, past })).toMatchObject([
			{ state: 'fail', says: expect.stringContaining('before the runner started'), remedy: expect.stringContaining('clock') },
		]);
	});

	it.each([-3_000, 3_000])('is doubtful where it jumped by %i ms while we looked', (step) => {
		expect(checkClock({ now: NOW, expected: NOW + step, past: [] })).toMatchObject([{ state: 'warn' }]);
	});
});
