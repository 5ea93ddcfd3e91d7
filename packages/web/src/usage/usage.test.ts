import type { UsageGroup } from '@roost/protocol/api/usage';
import { describe, expect, it } from 'vitest';
import { fillDays } from './fill-days.ts';
import { firstDay, parseUsageAddress, toUsageAddress } from './usage-address.ts';

const NOON = new Date(2026, 10, 15, 12).getTime();
const NO_TOKENS = { input_tokens: 0, output_tokens: 0, cache_read_tokens: 0, cache_write_tokens: 0 };

describe('address of the usage page', () => {
	it('says what is shown, and is made from it', () => {
		const address = '/usage?by=model&since=all&show=tokens';
		expect(toUsageAddress(parseUsageAddress(new URL(address, 'http://x').searchParams))).toBe(address);
	});

	it('has defaults for what is absent or unknown', () => {
		const defaults = { by: 'day', since: '30d', show: 'cost' };
		expect(parseUsageAddress(new URLSearchParams())).toEqual(defaults);
		expect(parseUsageAddress(new URLSearchParams('by=moon&since=2026-02-30&show=x'))).toEqual(defaults);
	});

	it('names a first day, or none for everything', () => {
		expect(['7d', '2026-11-01', 'all'].map((since) => firstDay(since, NOON))).toEqual(['2026-11-08', '2026-11-01', undefined]);
	});
});

describe('days of a chart', () => {
	it('include those without usage, also across the end of a month', () => {
		const days = fillDays([groupOf('2026-10-26'), groupOf('2026-11-02')]);
		expect(days.map(({ day }) => day)).toHaveLength(8);
		expect(days.flatMap(({ day, group }) => (group ? [[day, group.key]] : []))).toEqual([
			['2026-10-26', '2026-10-26'],
			['2026-11-02', '2026-11-02'],
		]);
		expect(days[0]?.at).toBe(new Date(2026, 9, 26).getTime() / 1_000);
		expect(days[6]?.day).toBe('2026-11-01');
	});

	it('are a week at least', () => {
		expect(fillDays([groupOf('2026-11-02')]).map(({ day }) => day)).toEqual(
			['27', '28', '29', '30', '31'].map((day) => `2026-10-${day}`).concat('2026-11-01', '2026-11-02'),
		);
		expect(fillDays([])).toEqual([]);
	});
});

function groupOf(key: string): UsageGroup {
	return { key, tokens: NO_TOKENS, costUsdEstimate: 0, unpriced: [], sessions: 1 };
}
