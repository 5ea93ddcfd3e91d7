// Every token and every cent is counted once, for every grouping.
import type { UsageBy } from '@roost/protocol/api/usage';
import type { TokenUsage } from '@roost/protocol/feed/conversation';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { groupUsage, type UsageRow } from './group-usage.ts';
import { PRICES_AS_OF } from './prices.ts';
import { addUsage, zeroUsage } from './tally.ts';

const BY: readonly UsageBy[] = ['day', 'project', 'agent', 'model', 'session'];

describe('grouped usage', () => {
	it('is empty without rows', () => {
		const total = { tokens: zeroUsage(), costUsdEstimate: 0, unpriced: [], sessions: 0 };
		for (const by of BY) expect(groupUsage([], by)).toEqual({ groups: [], total, pricesAsOf: PRICES_AS_OF });
	});

	it('has the same total for every grouping', () => {
		fc.assert(
			fc.property(fc.array(anyRow()), (rows) => {
				for (const by of BY) {
					const { groups, total } = groupUsage(rows, by);
					expect(groups.map(({ tokens }) => tokens).reduce(addUsage, zeroUsage())).toEqual(total.tokens);
					expect(total.tokens).toEqual(rows.map(({ usage }) => usage).reduce(addUsage, zeroUsage()));
					const cents = groups.reduce((sum, { costUsdEstimate }) => sum + costUsdEstimate, 0);
					expect(cents).toBeCloseTo(total.costUsdEstimate, 6);
					expect(new Set(groups.flatMap(({ unpriced }) => unpriced))).toEqual(new Set(total.unpriced));
					expect(new Set(groups.map(({ key }) => key)).size).toBe(groups.length);
				}
			}),
		);
	});

	it('separates agents and models, lists models without a price, and sorts by cost', () => {
		const rows = [
			row({ agent: 'codex', model: 'gpt-6.1-sol', sessionId: 's2', usage: tokens(5_000_000, 0) }),
			row({ agent: 'codex', model: 'gpt-5.3-codex', sessionId: 's2', usage: tokens(1_000_000, 0) }),
			row({ agent: 'claude', model: 'claude-opus-5', sessionId: 's1', usage: tokens(1_000_000, 0) }),
		];
		const { groups, total, pricesAsOf } = groupUsage(rows, 'agent', (key) => key.toUpperCase());
		expect(groups).toMatchObject([
			{ key: 'claude', title: 'CLAUDE', costUsdEstimate: 5, unpriced: [], sessions: 1 },
			{ key: 'codex', title: 'CODEX', costUsdEstimate: 1.75, unpriced: ['gpt-6.1-sol'], sessions: 1 },
		]);
		expect(total).toMatchObject({ costUsdEstimate: 6.75, unpriced: ['gpt-6.1-sol'], sessions: 2 });
		expect(pricesAsOf <= PRICES_AS_OF).toBe(true);
		expect(groupUsage(rows, 'model').groups.map(({ key }) => key)).toEqual(['claude-opus-5', 'gpt-5.3-codex', 'gpt-6.1-sol']);
	});

	it('is grouped by the requested key', () => {
		const rows = [row({}), row({ day: '2026-11-16', projectId: '/q', agent: 'pi', model: 'm', sessionId: 's2' })];
		const keysOf = (by: UsageBy) => groupUsage(rows, by).groups.map(({ key }) => key);
		expect(BY.map(keysOf)).toEqual([
			['2026-11-15', '2026-11-16'],
			['/p', '/q'],
			['claude', 'pi'],
			['claude-opus-5', 'm'],
			['s1', 's2'],
		]);
	});

	it('lists days from the oldest to the newest', () => {
		const rows = ['2026-11-15', '2026-10-31', '2026-11-02'].map((day) => row({ day }));
		expect(groupUsage(rows, 'day').groups.map(({ key }) => key)).toEqual(['2026-10-31', '2026-11-02', '2026-11-15']);
	});
});

function row(over: Partial<UsageRow>): UsageRow {
	const place = { sessionId: 's1', agent: 'claude', projectId: '/p' };
	return { ...place, day: '2026-11-15', model: 'claude-opus-5', usage: tokens(1, 1), ...over };
}

function tokens(input: number, output: number): TokenUsage {
	return { ...zeroUsage(), input_tokens: input, output_tokens: output };
}

function anyRow(): fc.Arbitrary<UsageRow> {
	return fc.record({
		day: fc.constantFrom('2026-11-14', '2026-11-15'),
		model: fc.constantFrom('claude-opus-5', 'gpt-5.3-codex', 'nobody-knows', '__proto__'),
		sessionId: fc.constantFrom('s1', 's2', '__proto__'),
		agent: fc.constantFrom('claude', 'codex'),
		projectId: fc.constantFrom('/a', '/b'),
		usage: fc.tuple(fc.nat(), fc.nat()).map(([input, output]) => tokens(input, output)),
	});
}
