import { AppError } from '@roost/protocol/app-error';
import { err } from '@roost/protocol/result';
import { figureOf, parsePrometheus } from '@roost/testkit/rigs/api/prometheus-text';
import { connectRaw, toBatch } from '@roost/testkit/rigs/hub/raw-runner';
import { sampleLog } from '@roost/testkit/rigs/hub/sample-log';
import { startTestHub, type TestHub } from '@roost/testkit/rigs/hub/test-hub';
import { describe, expect, it } from 'vitest';

describe('metrics of a hub', () => {
	it('count runners, lines, batches, open commands and sockets', async () => {
		await using rig = await startTestHub();
		const machine = await rig.pair();
		await rig.pair({ id: 'runner-2' });
		expect(await figures(rig, 'runners', 'runners_online', 'links', 'lines_total', 'clients')).toEqual([2, 0, 0, 0, 0]);
		const lines = await sampleLog('runner-1', ['s1', 's1', 's2', 's1', 's2']);
		await using runner = await connectRaw(rig, machine);
		await runner.register({ lastSeqNo: 5 });
		await runner.frame('runner.registered');
		expect(await figures(rig, 'runners_online', 'links', 'behind_lines')).toEqual([1, 1, 5]);
		const [some, rest] = [lines.slice(0, 3), lines.slice(3)];
		runner.send(
			toBatch(some, 'event.backfill'),
			some.map(({ line }) => line),
		);
		await runner.frame('backfill.ack');
		expect(await figures(rig, 'lines_total', 'batches_total', 'ack_seconds', 'behind_lines')).toEqual([3, 1, 1, 2]);
		runner.send(
			toBatch(rest),
			rest.map(({ line }) => line),
		);
		await runner.acknowledged(5);
		expect(await figures(rig, 'lines_total', 'batches_total', 'ack_seconds', 'behind_lines')).toEqual([5, 2, 2, 0]);
		const unsent = { path: '/api/v1/runners/runner-2/sessions/s1/interrupt', body: { commandId: 'c1' } };
		expect((await rig.post(unsent.path, unsent.body, machine.headers)).status).toBe(202);
		expect(await figures(rig, 'commands_open', 'store_errors_total')).toEqual([1, 0]);
	});

	it('count failures of the database', async () => {
		let isDown = false;
		const down = err(new AppError('store_unavailable', 'The database does not answer.'));
		await using rig = await startTestHub({}, (store) => ({
			...store,
			audit: { ...store.audit, list: async (query) => (isDown ? down : await store.audit.list(query)) },
		}));
		isDown = true;
		for (let at = 0; at < 3; at += 1) expect((await rig.call({ path: '/api/v1/audit' })).status).toBe(503);
		isDown = false;
		expect(await figures(rig, 'store_errors_total')).toEqual([3]);
	});

	it('name the hub and its version, as plain text', async () => {
		await using rig = await startTestHub();
		const { headers, body } = await rig.call({ path: '/metrics' });
		expect(headers['content-type']).toBe('text/plain; version=0.0.4; charset=utf-8');
		const [info] = parsePrometheus(body).get('roost_hub_info')?.samples ?? [];
		expect(info?.labels).toEqual({ name: 'test hub', version: expect.stringMatching(/^\d+\.\d+\.\d+/) });
	});
});

async function figures(rig: TestHub, ...names: readonly string[]): Promise<number[]> {
	const families = parsePrometheus((await rig.call({ path: '/metrics' })).body);
	return names.map((name) => figureOf(families, `roost_hub_${name}`));
}
