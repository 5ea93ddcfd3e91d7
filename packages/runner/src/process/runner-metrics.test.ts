// The metrics of a real runner change with real events: an answered hook, an opened and decided ask, a client.
import { type AskRow, askRow } from '@roost/protocol/ask';
import { type Family, figureOf, parsePrometheus } from '@roost/testkit/rigs/api/prometheus-text';
import { openRawStream } from '@roost/testkit/rigs/api/raw-stream';
import { type RunnerProcess, startRunnerProcess } from '@roost/testkit/rigs/runner/runner-rig';
import { waitFor } from '@roost/testkit/rigs/wait-for';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { createRunnerMetrics } from './runner-metrics.ts';

const NATIVE = '5f0c8f7e-0000-4000-8000-000000000002';
const BASH = { session_id: NATIVE, tool_name: 'Bash', tool_input: { command: 'make' }, tool_use_id: 'toolu_1' };

describe('runner metrics', { timeout: 120_000 }, () => {
	it('change with a hook, an ask, its answer and a client', async () => {
		await using roost = await startRunnerProcess({ config: { runner: { port: 0, name: 'my "own"\\runner' } } });
		const before = await figures(roost);
		expect(before.get('roost_runner_info')?.samples[0]?.labels).toMatchObject({ name: 'my "own"\\runner' });
		expect(Object.fromEntries(MOVING.map((name) => [name, figureOf(before, name)]))).toEqual(
			Object.fromEntries(MOVING.map((name) => [name, 0])),
		);
		expect(figureOf(before, 'roost_lagged_total')).toBe(0);

		const agent = await roost.openLaunch();
		await agent.report({ hook_event_name: 'SessionStart', session_id: NATIVE, source: 'startup' });
		await agent.report({ hook_event_name: 'PreToolUse', ...BASH });
		await using client = await openRawStream({ port: roost.port, headers: roost.bearer });
		await client.frame('hello');
		const reply = agent.report({ hook_event_name: 'PermissionRequest', ...BASH });
		const { ask } = await client.frame('ask');

		const asked = await figures(roost);
		expect(figureOf(asked, 'roost_asks_open')).toBe(1);
		expect(figureOf(asked, 'roost_clients')).toBe(1);
		expect(figureOf(asked, 'roost_hook_seconds')).toBe(1);
		expect(figureOf(asked, 'roost_decision_seconds')).toBe(0);
		expect(figureOf(asked, 'roost_events_total')).toBe((await lastSeqNo(roost, ask)) ?? 0);
		expect(figureOf(asked, 'roost_append_seconds')).toBeGreaterThan(0);

		const body = { askId: ask.id, nonce: ask.nonce, decision: 'allow' };
		expect((await roost.call('POST', `/api/v1/sessions/${ask.sessionId}/approve`, body)).status).toBe(200);
		await reply;
		const decided = await figures(roost);
		expect(figureOf(decided, 'roost_asks_open')).toBe(0);
		expect(figureOf(decided, 'roost_decision_seconds')).toBe(1);
		expect(figureOf(decided, 'roost_hook_seconds')).toBe(1);
		expect(figureOf(decided, 'roost_events_total')).toBeGreaterThan(figureOf(asked, 'roost_events_total'));
		expect(figureOf(decided, 'roost_append_seconds')).toBeGreaterThan(figureOf(asked, 'roost_append_seconds'));
	});
});

describe('decision latency', () => {
	it('counts decided asks in seconds, but not unanswered ones', () => {
		const metrics = createRunnerMetrics({ name: 'r', version: '1' });
		const asks = (['allowed', 'denied', 'answered', 'answered-elsewhere', 'expired', 'cancelled'] as const).map((state) =>
			sampleAsk({ state, openedAt: 1_000, decidedAt: 5_000 }),
		);
		metrics.updated({ entries: [], asks: [sampleAsk({ state: 'pending' }), ...asks] });
		const families = parsePrometheus(metrics.write({ asksOpen: 0, clients: 0, lag: { times: 2, bytes: 9 } }));
		expect(figureOf(families, 'roost_decision_seconds')).toBe(4);
		expect(families.get('roost_decision_seconds')?.samples.find(({ name }) => name.endsWith('_sum'))?.value).toBe(16);
		expect([figureOf(families, 'roost_lagged_total'), figureOf(families, 'roost_lag_bytes')]).toEqual([2, 9]);
	});
});

const MOVING = [
	'roost_events_total',
	'roost_asks_open',
	'roost_decision_seconds',
	'roost_hook_seconds',
	'roost_append_seconds',
	'roost_clients',
];

async function figures(roost: RunnerProcess): Promise<Map<string, Family>> {
	return parsePrometheus((await roost.call('GET', '/metrics')).body);
}

/** The runner's own stream has facts too, so the last seqNo gives the number of events. */
async function lastSeqNo(roost: RunnerProcess, ask: AskRow): Promise<number | undefined> {
	const lines = z.array(z.object({ seqNo: z.number() }));
	return await waitFor(
		async () => lines.parse(JSON.parse((await roost.call('GET', `/api/v1/sessions/${ask.sessionId}/events`)).body)).at(-1)?.seqNo,
		{ what: 'the stored lines' },
	);
}

function sampleAsk(over: Partial<AskRow>): AskRow {
	return askRow.parse({
		id: 's1.1',
		sessionId: 's1',
		kind: 'permission',
		tool: 'Bash',
		input: {},
		state: 'pending',
		risk: 'low',
		actorId: 'agent:root',
		eventId: 's1:R1:E1',
		reason: 'no rule',
		openedAt: 0,
		expiresAt: 1,
		nonce: 'n',
		inputHash: 'h',
		...over,
	});
}
