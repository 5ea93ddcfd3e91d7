// The usage table fits its terminal, marks estimates, and names models without a price.
import { homedir } from 'node:os';
import type { UsageGroup, UsageReport } from '@roost/protocol/api/usage';
import { tokens } from '@roost/testkit/rigs/record/sample-append';
import { describe, expect, it } from 'vitest';
import { widthOf } from '../tui/screen/text.ts';
import { usageTable } from './usage.ts';

describe('usage table', () => {
	it('has a line for each group, a total, and the date of the prices', () => {
		const text = usageTable(
			report({
				groups: [
					group('2026-11-14', { tokens: tokens(1_234, 56, 1_030_000), costUsdEstimate: 2.02 }),
					group('2026-11-15', { tokens: tokens(0, 7), costUsdEstimate: 0.0001 }),
				],
				total: amounts({ tokens: tokens(1_234, 63, 1_030_000), costUsdEstimate: 2.0201, sessions: 2 }),
			}),
			80,
		);
		expect(text.split('\n')).toEqual([
			'DAY                  INPUT   CACHED  WRITTEN   OUTPUT   ESTIMATE',
			'2026-11-14            1.2k     1.0M        -       56      $2.02',
			'2026-11-15               -        -        -        7     <$0.01',
			'─'.repeat(64),
			'TOTAL, 2 sessions     1.2k     1.0M        -       63      $2.02',
			'',
			'Cost is an estimate at list prices of 2026-10-07.',
		]);
	});

	it('marks estimates with unpriced parts, and names the models', () => {
		const text = usageTable(
			report({
				by: 'agent',
				groups: [
					group('codex', { costUsdEstimate: 1, unpriced: ['gpt-x'] }),
					group('pi', { costUsdEstimate: 0, unpriced: ['no\u001b[2Jbody'] }),
				],
				total: amounts({ costUsdEstimate: 1, unpriced: ['gpt-x', 'no\u001b[2Jbody'] }),
			}),
			80,
		);
		expect(text).toMatch(/^codex .* \$1\.00\+$/m);
		expect(text).toMatch(/^pi .* \?$/m);
		expect(text).toMatch(/because no price is certain: gpt-x, no.*body\.$/m);
		expect(text).not.toContain('\u001b');
	});

	it('shows reasoning tokens only if they were reported', () => {
		const thought = { ...tokens(1, 10), reasoning_tokens: 7 };
		const reported = report({ groups: [group('d', { tokens: thought })], total: amounts({ tokens: thought }) });
		expect(usageTable(reported, 80)).toMatch(/REASONING/);
		expect(usageTable(report({ groups: [group('d', {})], total: amounts({}) }), 80)).not.toMatch(/REASONING/);
	});

	it('fits the terminal, and keeps the end of a path', () => {
		const thought = { ...tokens(1, 10), reasoning_tokens: 7 };
		const path = `${homedir()}/漢字/a/very/long/path/to/the/henhouse`;
		for (const by of ['session', 'project'] as const) {
			const groups = [group('k3f9x2m4qz', { title: path, tokens: thought }), group('p', { title: homedir(), tokens: thought })];
			for (const line of usageTable(report({ by, groups, total: amounts({ tokens: thought }) }), 80).split('\n')) {
				expect(widthOf(line), line).toBeLessThanOrEqual(80);
			}
		}
		const groups = [group('p', { title: path }), group('h', { title: homedir() })];
		const text = usageTable(report({ by: 'project', groups, total: amounts({}) }), 60);
		expect(text).toMatch(/^….*the\/henhouse /m);
		expect(text).toMatch(/^~ /m);
	});

	it('suggests what to do when there is no usage', () => {
		expect(usageTable(report({ groups: [] }), 80)).toBe(
			'No usage yet. Start a session with "roost claude", or see "roost demo".',
		);
		expect(usageTable(report({ groups: [], since: '2026-11-15' }), 80)).toContain('on these days');
	});
});

type Amounts = UsageReport['total'];

function report(over: Partial<UsageReport>): UsageReport {
	return { by: 'day', groups: [], total: amounts({}), pricesAsOf: '2026-10-07', ...over };
}

function group(key: string, over: Partial<UsageGroup>): UsageGroup {
	return { key, ...amounts({}), ...over };
}

function amounts(over: Partial<Amounts>): Amounts {
	return { tokens: tokens(1, 1), costUsdEstimate: 0, unpriced: [], sessions: 1, ...over };
}
