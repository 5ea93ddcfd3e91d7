// Totals become days: the increase of each report counts for its day, and all days add up to the last report.
import type { TokenUsage } from '@roost/protocol/feed/conversation';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { addUsage, totalUsage, zeroUsage } from './tally.ts';
import { countReport, type UsageDay, type UsageOfDay } from './usage-days.ts';

describe('usage by day', () => {
	it('assigns new usage to its day, also in a session that runs past midnight', () => {
		const days = counted([
			{ day: '2026-11-14', byModel: { big: tokens(100, 10) } },
			{ day: '2026-11-14', byModel: { big: tokens(150, 20) } },
			{ day: '2026-11-15', byModel: { big: tokens(400, 25), small: tokens(7, 7) } },
		]);
		expect(days).toEqual([
			{ day: '2026-11-14', model: 'big', usage: tokens(150, 20) },
			{ day: '2026-11-15', model: 'big', usage: tokens(250, 5) },
			{ day: '2026-11-15', model: 'small', usage: tokens(7, 7) },
		]);
	});

	it('does not change when a report is repeated', () => {
		const report = { day: '2026-11-14', byModel: { big: tokens(100, 10) } };
		expect(countReport(counted([report]), { ...report, day: '2026-11-15' })).toEqual([]);
	});

	it('is reduced from the newest day back when a later report is lower', () => {
		const days = counted([
			{ day: '2026-11-13', byModel: { big: tokens(100, 0) } },
			{ day: '2026-11-14', byModel: { big: tokens(130, 0) } },
			{ day: '2026-11-15', byModel: { big: tokens(90, 5) } },
		]);
		expect(days.map(({ day, usage }) => [day, usage.input_tokens, usage.output_tokens])).toEqual([
			['2026-11-13', 90, 0],
			['2026-11-14', 0, 0],
			['2026-11-15', 0, 5],
		]);
	});

	it('keeps reasoning tokens, and omits them if none were reported', () => {
		const [plain, thinking] = counted([
			{ day: '2026-11-14', byModel: { a: tokens(1, 10) } },
			{ day: '2026-11-15', byModel: { a: tokens(1, 10), b: { ...tokens(1, 10), reasoning_tokens: 7 } } },
		]);
		expect(plain?.usage).not.toHaveProperty('reasoning_tokens');
		expect(thinking?.usage.reasoning_tokens).toBe(7);
	});

	it('adds up to the last report and is never negative, for any reports', () => {
		fc.assert(
			fc.property(fc.array(anyReport(), { minLength: 1 }), (reports) => {
				const days = counted(reports);
				const last = Object.values(reports.at(-1)?.byModel ?? {}).reduce(addUsage, zeroUsage());
				expect(all(days)).toEqual(withReasoning(last));
				for (const { usage } of days) for (const count of Object.values(usage)) expect(count).toBeGreaterThanOrEqual(0);
			}),
		);
	});

	it('treats invalid amounts as zero', () => {
		const odd = { ...tokens(Number.NaN, -5), cache_read_tokens: Number.POSITIVE_INFINITY, cache_write_tokens: 1.4 };
		expect(countReport([], { day: 'd', byModel: { odd } })).toEqual([{ day: 'd', model: 'odd', usage: tokens(0, 0, 0, 1) }]);
	});
});

/** The stored rows after these reports, in order. */
function counted(reports: readonly UsageOfDay[]): UsageDay[] {
	const kept = new Map<string, UsageDay>();
	for (const report of reports) {
		for (const row of countReport([...kept.values()], report)) kept.set(JSON.stringify([row.day, row.model]), row);
	}
	return [...kept.values()];
}

function all(days: readonly UsageDay[]): TokenUsage {
	return withReasoning(totalUsage(Object.fromEntries(days.map((row, at) => [String(at), row.usage]))));
}

function withReasoning(usage: TokenUsage): TokenUsage {
	return { ...usage, reasoning_tokens: usage.reasoning_tokens ?? 0 };
}

function tokens(input: number, output: number, read = 0, write = 0): TokenUsage {
	return { input_tokens: input, output_tokens: output, cache_read_tokens: read, cache_write_tokens: write };
}

function anyReport(): fc.Arbitrary<UsageOfDay> {
	const usage = fc
		.tuple(fc.nat(1_000), fc.nat(1_000), fc.nat(1_000), fc.nat(1_000), fc.option(fc.nat(1_000), { nil: undefined }))
		.map(([input, output, read, write, reasoning]): TokenUsage => {
			const plain = tokens(input, output, read, write);
			return reasoning === undefined ? plain : { ...plain, reasoning_tokens: reasoning };
		});
	const byModel = fc.dictionary(fc.constantFrom('big', 'small', '__proto__'), usage);
	return fc.record({ day: fc.constantFrom('2026-11-13', '2026-11-14', '2026-11-15'), byModel });
}
