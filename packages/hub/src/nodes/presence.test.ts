// Where a runner is connected, as every node knows it.
import type { LinkCall } from '@roost/protocol/hub/link-frames';
import { runnerId } from '@roost/protocol/ids';
import type { HubNodeRig } from '@roost/testkit/rigs/hub/hub-node';
import { type HubNodesRig, type HubServers, startHubNodes, startHubServers } from '@roost/testkit/rigs/hub/hub-nodes';
import { natsServer } from '@roost/testkit/rigs/hub/nats';
import { postgres } from '@roost/testkit/rigs/hub/postgres';
import { sampleLog, sampleRunner } from '@roost/testkit/rigs/hub/sample-log';
import { RUNNER_KEY } from '@roost/testkit/rigs/hub/scripted-runner';
import { cannotRun } from '@roost/testkit/rigs/requirements';
import { unwrap } from '@roost/testkit/rigs/unwrap';
import { waitFor } from '@roost/testkit/rigs/wait-for';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

const CALL: LinkCall = { operation: 'projects.list', input: {}, by: { name: 'ada', face: 'web' } };
const RUNNER = runnerId.parse('runner-1');
const REPLACED = 4409;
const REFUSED = 4403;

describe.skipIf(cannotRun([postgres(), natsServer()]))('a runner of a hub with several nodes', () => {
	let servers: HubServers;
	beforeAll(async () => {
		servers = await startHubServers();
	});
	afterAll(() => servers[Symbol.asyncDispose]());

	it('is called through the node that has its connection, and is offline at once when it leaves', async () => {
		await using nodes = await startHubNodes(servers);
		expect(await nodes.b.runner().call(CALL)).toBeUndefined();
		const runner = await nodes.connect(nodes.a);
		await isOnline(nodes.b, true);
		expect(nodes.b.runner()).toMatchObject({ link: undefined, accepts: { operate: 'signed' } });
		runner.answer.request = { ok: true, value: 'x'.repeat(3_000_000) };
		expect(await nodes.b.runner().call(CALL)).toEqual(runner.answer.request);
		runner.answer.request = { ok: false, error: { code: 'not_found', message: 'No project.' } };
		expect(await nodes.b.runner().call(CALL)).toEqual(runner.answer.request);
		runner.cut();
		await isOnline(nodes.b, false);
		expect(await nodes.b.runner().call(CALL)).toBeUndefined();
		expect(nodes.b.presence).toEqual(['runner-1 on', 'runner-1 off']);
	});

	it('is known to a node that starts later', async () => {
		await using nodes = await startHubNodes(servers);
		await nodes.connect(nodes.a);
		const c = await nodes.start('c');
		await isOnline(c, true);
		expect(await c.runner().call(CALL)).toEqual({ ok: true, value: 'runner-1' });
	});

	it('is offline when its node ends without a word: for a call at once, in the list after some sweeps', async () => {
		await using nodes = await startHubNodes(servers, { sweepMs: 40 });
		await nodes.connect(nodes.a);
		await isOnline(nodes.b, true);
		nodes.a.bus.faults = 'drop';
		await nodes.a.bus[Symbol.asyncDispose]();
		expect(await nodes.b.runner().call(CALL)).toBeUndefined();
		await isOnline(nodes.b, false);
	});

	it('is found and lost with hints dropped, or doubled and late', async () => {
		for (const faults of ['drop', 'double and reorder'] as const) {
			await using nodes = await startHubNodes(servers, { sweepMs: 40 });
			nodes.setFaults(faults);
			const runner = await nodes.connect(nodes.a);
			nodes.setFaults(faults === 'drop' ? 'none' : faults);
			await isOnline(nodes.b, true);
			nodes.setFaults(faults);
			runner.cut();
			await isOnline(nodes.a, false);
			nodes.setFaults(faults === 'drop' ? 'none' : faults);
			await isOnline(nodes.b, false);
		}
	});

	it('replaces its connection by a newer one at another node, and stays online', async () => {
		for (const faults of ['none', 'drop'] as const) {
			await using nodes = await startHubNodes(servers, { sweepMs: faults === 'none' ? 60_000 : 40 });
			const first = await nodes.connect(nodes.a);
			await isOnline(nodes.b, true);
			nodes.setFaults(faults);
			const second = await nodes.connect(nodes.b);
			await waitFor(() => first.closed(), { what: 'the end of the first connection' });
			expect(first.closed()).toBe(REPLACED);
			nodes.setFaults('none');
			await isOnline(nodes.a, true);
			expect(await nodes.a.runner().call(CALL)).toEqual({ ok: true, value: 'runner-1' });
			expect([nodes.b.runner().isOnline, second.closed()]).toEqual([true, undefined]);
			if (faults === 'none') expect(nodes.a.presence).toEqual(['runner-1 on', 'runner-1 on']);
			expect(nodes.b.presence).not.toContain('runner-1 off');
		}
	});

	it('keeps its connection when an older one at another node is heard of later, and not when a newer one is', async () => {
		await using nodes = await startHubNodes(servers);
		const runner = await nodes.connect(nodes.b);
		const { links } = nodes.b.runner();
		const says = (version: number, number: number) => {
			const came = { id: RUNNER, links: number, since: 1 };
			nodes.a.bus.publish('presence', JSON.stringify({ node: 'x', version, came }));
			nodes.a.node.peopleChanged();
		};
		let version = 0;
		nodes.a.bus.serve('nodes.x', async () => JSON.stringify({ version, connected: [] }));
		nodes.a.bus.publish('presence', JSON.stringify({ node: 'x', version }));
		// Again until the node has the list of this one, which is asked for first.
		const heard = async (number: number, isDone: () => boolean) =>
			await waitFor(
				async () => {
					const before = nodes.b.people();
					version += 1;
					says(version, number);
					await waitFor(() => nodes.b.people() > before || undefined, { what: 'the hints' });
					return isDone() || undefined;
				},
				{ what: 'the connection at x' },
			);
		await heard(links - 1, () => version > 20);
		expect([runner.closed(), nodes.b.runner().elsewhere]).toEqual([undefined, undefined]);
		await heard(links + 1, () => nodes.b.runner().elsewhere?.node === 'x');
		await waitFor(() => runner.closed(), { what: 'the end of the connection' });
		expect(runner.closed()).toBe(REPLACED);
	});

	it('may move from node to node: the newest connection stays, and late batches of an older one change nothing', async () => {
		await using nodes = await startHubNodes(servers, { sweepMs: 40 });
		const lines = await sampleLog('runner-1', ['s', 's', 's', 's', 's', 's']);
		nodes.setFaults('double and reorder');
		for (let round = 0; round < 6; round += 1) {
			const [here, there] = round % 2 === 0 ? [nodes.a, nodes.b] : [nodes.b, nodes.a];
			const older = await nodes.connect(here);
			const newer = await nodes.connect(there);
			older.append(lines.slice(0, round + 1));
			newer.append(lines.slice(0, round + 1));
			await newer.acknowledged(round + 1);
			await waitFor(() => older.closed(), { what: 'the end of the older connection' });
			expect(newer.closed()).toBeUndefined();
			for (const node of [nodes.a, nodes.b]) await isOnline(node, true);
		}
		const log = { runnerId: RUNNER, epoch: 1 };
		const stored = unwrap(await nodes.a.store.logs.read(log, { afterSeqNo: 0, limit: 100 }));
		expect(stored.map(({ line }) => line)).toEqual(lines.map(({ line }) => line));
	});

	it('is disconnected from every node when it is revoked at one, by a hint or by the next sweep', async () => {
		for (const faults of ['none', 'drop'] as const) {
			await using nodes = await startHubNodes(servers, { sweepMs: faults === 'none' ? 60_000 : 40 });
			const runner = await nodes.connect(nodes.a);
			nodes.setFaults(faults);
			unwrap(await nodes.b.store.runners.revoke(RUNNER, 5));
			nodes.b.node.runnerChanged(RUNNER);
			await waitFor(() => runner.closed(), { what: 'the end of the connection' });
			expect(runner.closed()).toBe(REFUSED);
			expect(nodes.a.listed()).toEqual([]);
		}
	});

	it('is listed by every node after it was paired at one, by a hint or by the next sweep', async () => {
		for (const faults of ['none', 'drop'] as const) {
			await using nodes = await startHubNodes(servers, { sweepMs: faults === 'none' ? 60_000 : 40 });
			nodes.setFaults(faults);
			unwrap(await nodes.a.store.runners.pair(sampleRunner('runner-2', RUNNER_KEY.publicKey)));
			nodes.a.node.runnerChanged(runnerId.parse('runner-2'));
			await waitFor(() => nodes.b.listed().includes('runner-2') || undefined, { what: 'the new runner' });
		}
	});

	it('has its new name and version at every node', async () => {
		await using nodes = await startHubNodes(servers, { sweepMs: 40 });
		await nodes.connect(nodes.a);
		await waitFor(() => nodes.b.runner().row.version === '1.0.0' || undefined, { what: 'the version' });
	});

	it('lets other nodes know that people changed', async () => {
		await using nodes = await startHubNodes(servers);
		nodes.a.node.peopleChanged();
		await waitFor(() => nodes.b.people() > 0 || undefined, { what: 'the hint' });
		expect([nodes.a.people(), nodes.b.people()]).toEqual([0, 1]);
	});
});

async function isOnline(node: HubNodesRig['a'] | HubNodeRig, expected: boolean): Promise<void> {
	await waitFor(() => node.known('runner-1')?.isOnline === expected || undefined, {
		what: `the runner to be ${expected ? 'online' : 'offline'}`,
		seen: () => node.presence,
		deadlineMs: 20_000,
	});
}
