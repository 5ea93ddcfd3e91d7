// roost usage as a user runs it.
import { join } from 'node:path';
import { projectId } from '@roost/protocol/ids';
import { sampleUsage, tokens, writeRecord } from '@roost/testkit/rigs/record/sample-append';
import { driveCli } from '@roost/testkit/rigs/runner/drive-cli';
import { createTempDir } from '@roost/testkit/rigs/temp-dir';
import { unwrap, unwrapError } from '@roost/testkit/rigs/unwrap';
import { describe, expect, it } from 'vitest';
import { parseQuery } from './usage.ts';

const NOON = new Date(2026, 10, 15, 12).getTime();

describe('query of roost usage', () => {
	it('accepts a date or a number of days back', () => {
		const since = (given: string) => unwrap(parseQuery({ by: 'day', since: given }, NOON)).since;
		expect([since('2026-11-01'), since('0d'), since('15d')]).toEqual(['2026-11-01', '2026-11-15', '2026-10-31']);
		expect(unwrap(parseQuery({ by: 'model', until: '1d' }, NOON))).toEqual({ by: 'model', until: '2026-11-14' });
	});

	it('is rejected with the valid values', () => {
		const refusal = (options: object) => unwrapError(parseQuery({ by: 'day', ...options }, NOON)).message;
		expect(refusal({ by: 'week' })).toBe('--by takes day, project, agent, model, session; it was "week".');
		expect(refusal({ since: '2026-02-30' })).toContain('--since takes a day such as 2026-11-15, or how many days back');
		expect(refusal({ until: '-1d' })).toContain('--until takes a day');
		expect(refusal({ since: '1d', until: '2d' })).toBe('--since 2026-11-14 is after --until 2026-11-13: swap them.');
	});
});

describe('roost usage', () => {
	it('shows usage by every grouping with the same total, and reports when there is none', async () => {
		await using directory = await createTempDir();
		const options = { cwd: directory.path, env: { PATH: process.env.PATH ?? '', ROOST_HOME: directory.path } };
		const [empty] = await driveCli([['usage']], options);
		expect(empty).toMatchObject({ code: 0, stdout: expect.stringContaining('No usage yet.') });
		await writeRecord(join(directory.path, 'roost.db'), usage());
		const measures = ['day', 'project', 'agent', 'model', 'session'];
		const [table, wrong, ...reports] = await driveCli(
			[['usage'], ['usage', '--by', 'week'], ...measures.map((by) => ['usage', '--by', by, '--json'])],
			options,
		);
		expect(table?.stdout).toMatch(/^DAY .*ESTIMATE\n2026-11-14 .*\n2026-11-15 .*\n─+\nTOTAL, 2 sessions .*\n\nCost is an/);
		expect(wrong).toMatchObject({ code: 2, stderr: expect.stringContaining('--by takes day, project') });
		const reported = reports.map(({ stdout }) => JSON.parse(stdout));
		expect(reported.map(({ groups }) => groups.length)).toEqual([2, 2, 2, 3, 2]);
		expect(new Set(reported.map(({ total }) => JSON.stringify(total))).size).toBe(1);
		expect(reported[0].total).toMatchObject({ tokens: { input_tokens: 1_284, reasoning_tokens: 7 }, unpriced: ['gpt-6.1-sol'] });
	});
});

function usage(): ReturnType<typeof sampleUsage>[] {
	const [before, after] = [new Date(2026, 10, 14, 23, 59), new Date(2026, 10, 15, 0, 1)];
	const barn = { agent: 'codex', projectId: projectId.parse('/barn'), projectPath: '/barn' };
	const gpt = { ...tokens(1_034, 56, 200), reasoning_tokens: 7 };
	return [
		sampleUsage('a', 1, before, { 'claude-opus-5': tokens(100, 10) }),
		sampleUsage('a', 2, after, { 'claude-opus-5': tokens(200, 20), 'claude-haiku-4-5': tokens(50, 5) }),
		sampleUsage('b', 1, after, { 'gpt-6.1-sol': gpt }, barn),
	];
}
