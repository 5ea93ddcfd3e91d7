// The time of a runner that is away.
import { describe, expect, it } from 'vitest';
import { awayWords } from './away.ts';

describe('runner that is away', () => {
	const now = new Date(2026, 4, 12, 18, 0).getTime();

	it('says the time of today', () => {
		expect(awayWords({ since: new Date(2026, 4, 12, 14, 2).getTime() }, now)).toMatch(/^offline since 0?2:02|14:02/);
	});

	it('adds the day before today', () => {
		const words = awayWords({ since: new Date(2026, 4, 11, 14, 2).getTime() }, now);
		expect(words).toMatch(/11/);
		expect(words).toMatch(/May/);
	});
});
