// A command that is opened at one node, for a runner that is connected to another one.
import type { LinkCall } from '@roost/protocol/hub/link-frames';
import type { HubNodeRig } from '@roost/testkit/rigs/hub/hub-node';
import { type HubServers, startHubNodes, startHubServers } from '@roost/testkit/rigs/hub/hub-nodes';
import { natsServer } from '@roost/testkit/rigs/hub/nats';
import { postgres } from '@roost/testkit/rigs/hub/postgres';
import { cannotRun } from '@roost/testkit/rigs/requirements';
import { unwrap } from '@roost/testkit/rigs/unwrap';
import { waitFor } from '@roost/testkit/rigs/wait-for';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

const CALL: LinkCall = { operation: 'sessions.prompt', input: { text: 'do it' }, by: { name: 'ada', face: 'web' } };

describe.skipIf(cannotRun([postgres(), natsServer()]))('a command for a runner at another node', () => {
	let servers: HubServers;
	beforeAll(async () => {
		servers = await startHubServers();
	});
	afterAll(() => servers[Symbol.asyncDispose]());

	it('is delivered at once, and its outcome reaches the caller, by hints alone', async () => {
		await using nodes = await startHubNodes(servers);
		const runner = await nodes.connect(nodes.a);
		expect(await run(nodes.b, 'c1')).toEqual({ ok: true, value: 'done by runner-1' });
		expect(runner.commands).toMatchObject([{ ...CALL, commandId: 'c1' }]);
	});

	it('is delivered once, and its outcome reaches the caller, with every hint dropped, or doubled and late', async () => {
		for (const faults of ['drop', 'double and reorder'] as const) {
			await using nodes = await startHubNodes(servers, { sweepMs: 40 });
			const runner = await nodes.connect(nodes.a);
			nodes.setFaults(faults);
			const ids = ['c1', 'c2', 'c3', 'c4'];
			const outcomes = await Promise.all(ids.map((id) => run(nodes.b, id)));
			expect(outcomes).toEqual(ids.map(() => ({ ok: true, value: 'done by runner-1' })));
			expect(runner.commands.map(({ commandId }) => commandId).toSorted()).toEqual(ids);
		}
	});

	it('is delivered while NATS is dead', async () => {
		await using nodes = await startHubNodes(servers, { sweepMs: 40 });
		const runner = await nodes.connect(nodes.a);
		await servers.nats.kill();
		try {
			expect(await run(nodes.b, 'c1')).toEqual({ ok: true, value: 'done by runner-1' });
			expect(runner.commands).toHaveLength(1);
		} finally {
			await servers.nats.start();
		}
	});

	it('is sent once over a connection, however many nodes and sweeps find it open', async () => {
		await using nodes = await startHubNodes(servers, { sweepMs: 20 });
		const runner = await nodes.connect(nodes.a);
		runner.answer.command = undefined;
		const [one, other] = [run(nodes.b, 'c1'), run(nodes.a, 'c1')];
		await waitFor(() => runner.commands.length > 0 || undefined, { what: 'the command' });
		const calls = Array.from({ length: 5 }, () => nodes.b.bus.request('commands.runner-1', '', 1_000));
		expect((await Promise.all(calls)).map(({ ok }) => ok)).toEqual(calls.map(() => true));
		runner.send({ type: 'command.receipt', commandId: 'c1', outcome: { ok: true, value: 1 } });
		expect(await Promise.all([one, other])).toEqual([
			{ ok: true, value: 1 },
			{ ok: true, value: 1 },
		]);
		expect(runner.commands).toHaveLength(1);
	});

	it('is queued at once if the runner is offline everywhere, and delivered when it connects to any node', async () => {
		await using nodes = await startHubNodes(servers);
		expect(await run(nodes.b, 'c1')).toMatchObject({ queued: true, commandId: 'c1' });
		const runner = await nodes.connect(nodes.a);
		await waitFor(() => runner.commands.length > 0 || undefined, { what: 'the command' });
		expect(runner.commands[0]?.commandId).toBe('c1');
	});

	it('expires or is cancelled at any node, which its caller learns', async () => {
		await using nodes = await startHubNodes(servers, { sweepMs: 40 });
		const runner = await nodes.connect(nodes.a);
		runner.answer.command = undefined;
		nodes.setFaults('drop');
		const expiring = run(nodes.b, 'c1', 300);
		expect(await expiring).toMatchObject({ ok: false, error: { code: 'timed_out' } });
		const cancelled = run(nodes.b, 'c2');
		await waitFor(() => runner.commands.some(({ commandId }) => commandId === 'c2') || undefined, { what: 'the command' });
		expect(unwrap(await nodes.a.store.commands.cancel('c2', 1))).toBe(true);
		expect(await cancelled).toMatchObject({ ok: false, error: { code: 'interrupted' } });
	});
});

async function run(node: HubNodeRig, id: string, lifeMs = 60_000) {
	const expiresAt = Date.now() + lifeMs;
	const ran = node.deliveries.run(node.runner(), { id, call: CALL, kind: 'operate', expiresAt });
	return unwrap(await ran);
}
