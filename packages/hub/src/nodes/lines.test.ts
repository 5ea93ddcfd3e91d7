// Lines of a runner that is connected to one node, as a watcher at another one gets them.
import type { FeedEvent } from '@roost/protocol/feed/event';
import { sessionId } from '@roost/protocol/ids';
import type { LogEntry } from '@roost/protocol/log-entry';
import type { HubNodeRig } from '@roost/testkit/rigs/hub/hub-node';
import { type HubServers, isHeard, startHubNodes, startHubServers } from '@roost/testkit/rigs/hub/hub-nodes';
import { natsServer } from '@roost/testkit/rigs/hub/nats';
import { postgres } from '@roost/testkit/rigs/hub/postgres';
import { type ChainedLine, sampleLog, toStream } from '@roost/testkit/rigs/hub/sample-log';
import type { ScriptedRunner } from '@roost/testkit/rigs/hub/scripted-runner';
import { sampleAsk, sampleEvent } from '@roost/testkit/rigs/record/sample-append';
import { cannotRun } from '@roost/testkit/rigs/requirements';
import { waitFor } from '@roost/testkit/rigs/wait-for';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

const LINES = 60;

describe.skipIf(cannotRun([postgres(), natsServer()]))('lines that arrive at another node', () => {
	let servers: HubServers;
	beforeAll(async () => {
		servers = await startHubServers();
	});
	afterAll(() => servers[Symbol.asyncDispose]());

	it('are seen in order, each once, by hints alone', async () => {
		await using nodes = await startHubNodes(servers);
		const runner = await nodes.connect(nodes.a);
		const watcher = watch(nodes.b);
		await isHeard(nodes.a, nodes.b);
		const lines = await sampleLines(LINES);
		await append(runner, lines, 7);
		await watcher.sees(lines);
		expect(nodes.b.runner().lastSeqNo).toBe(LINES);
	});

	for (const faults of ['drop', 'double and reorder'] as const) {
		it(`are seen in order, each once, if the bus is set to ${faults}`, async () => {
			await using nodes = await startHubNodes(servers, { sweepMs: 40 });
			const runner = await nodes.connect(nodes.a);
			const watcher = watch(nodes.b);
			nodes.setFaults(faults);
			const lines = await sampleLines(LINES);
			await append(runner, lines, 3);
			await watcher.sees(lines);
		});
	}

	it('are seen in order, each once, while NATS is killed and started again', async () => {
		await using nodes = await startHubNodes(servers, { sweepMs: 40 });
		const runner = await nodes.connect(nodes.a);
		const watcher = watch(nodes.b);
		const lines = await sampleLines(LINES);
		await append(runner, lines.slice(0, 20), 5);
		await servers.nats.kill();
		try {
			await append(runner, lines.slice(20, 40), 5);
			await watcher.sees(lines.slice(0, 40));
		} finally {
			await servers.nats.start();
		}
		await waitFor(() => (nodes.a.bus.isConnected() && nodes.b.bus.isConnected()) || undefined, { what: 'NATS' });
		await append(runner, lines.slice(40), 5);
		await watcher.sees(lines);
	});

	it('are read from the database if they are too long for a hint, or were stored before anyone watched', async () => {
		await using nodes = await startHubNodes(servers);
		const runner = await nodes.connect(nodes.a);
		const lines = await sampleLog(
			'runner-1',
			Array.from({ length: 6 }, () => 's'),
			'x'.repeat(400_000),
		);
		await append(runner, lines.slice(0, 2), 1);
		const watcher = watch(nodes.b);
		await isHeard(nodes.a, nodes.b);
		await append(runner, lines.slice(2), 4);
		await watcher.sees(lines);
	});

	it('come with the requests and queues that they changed, also after lost hints', async () => {
		for (const faults of ['none', 'drop'] as const) {
			await using nodes = await startHubNodes(servers, { sweepMs: faults === 'none' ? 60_000 : 40 });
			const runner = await nodes.connect(nodes.a);
			const watcher = watch(nodes.b);
			await isHeard(nodes.a, nodes.b);
			nodes.setFaults(faults);
			const lines = await sampleLines(3);
			runner.append(lines.slice(0, 1), { asks: [sampleAsk('1')] });
			runner.append(lines.slice(1, 2), {
				queues: [{ sessionId: sessionId.parse('s0'), prompts: [{ id: 'p', text: 'do it', queuedAt: 1 }] }],
			});
			runner.append(lines.slice(2), { asks: [sampleAsk('1', { state: 'denied' })] });
			await watcher.sees(lines);
			expect(watcher.asks.at(-1)).toEqual(['1', 'denied']);
			expect(watcher.queues).toEqual(['s0']);
		}
	});

	it('of a new epoch follow those of the one before', async () => {
		for (const faults of ['none', 'drop'] as const) {
			await using nodes = await startHubNodes(servers, { sweepMs: faults === 'none' ? 60_000 : 40 });
			const first = await nodes.connect(nodes.a);
			const watcher = watch(nodes.b);
			await isHeard(nodes.a, nodes.b);
			nodes.setFaults(faults);
			const [before, after] = [await sampleLines(4), await sampleLog('runner-1', ['s', 's', 's'], 'again')];
			await append(first, before, 2);
			await watcher.sees(before);
			const second = await nodes.connect(nodes.a, { epoch: 2 });
			await append(second, after, 1);
			await watcher.sees([...before, ...after]);
			expect(nodes.b.runner()).toMatchObject({ log: { epoch: 2 }, lastSeqNo: 3 });
		}
	});

	it('are not skipped when the runner connects to the node of the watcher', async () => {
		await using nodes = await startHubNodes(servers);
		const first = await nodes.connect(nodes.a);
		const watcher = watch(nodes.b);
		nodes.setFaults('drop');
		const lines = await sampleLines(9);
		await append(first, lines.slice(0, 6), 2);
		const second = await nodes.connect(nodes.b);
		await append(second, lines.slice(6), 3);
		await watcher.sees(lines);
	});

	it('come with deltas of the streams that are watched there, until that ends', async () => {
		await using nodes = await startHubNodes(servers, { sweepMs: 40 });
		const runner = await nodes.connect(nodes.a);
		const watcher = watch(nodes.b);
		const ends = [nodes.b.runner().watch(toStream('s0')), nodes.a.runner().watch(toStream('s1'))];
		await waitFor(() => runner.interest().length === 2 || undefined, { what: 'the interest', seen: runner.interest });
		const event = sampleEvent('s0', 1, { kind: 'agent.message', data: { text: 'he' } });
		await waitFor(
			() => {
				runner.send({ type: 'event.delta', stream: toStream('s0'), event });
				return watcher.deltas.length > 0 || undefined;
			},
			{ what: 'a delta' },
		);
		expect(watcher.deltas[0]).toMatchObject({ session_id: 's0', data: { text: 'he' } });
		ends[0]?.();
		await waitFor(() => runner.interest().length === 1 || undefined, { what: 'the end of the interest' });
		nodes.b.runner().watch(toStream('s2'));
		await waitFor(() => runner.interest().includes('s2') || undefined, { what: 'the new interest' });
		await nodes.b[Symbol.asyncDispose]();
		await waitFor(() => runner.interest().join() === 's1' || undefined, { what: 'a node that is gone', seen: runner.interest });
	});
});

function watch(node: HubNodeRig) {
	const seen: LogEntry[] = [];
	const deltas: FeedEvent[] = [];
	const asks: [string, string][] = [];
	const queues: string[] = [];
	node.runner().onUpdate((update) => {
		seen.push(...update.entries);
		deltas.push(...update.deltas);
		asks.push(...update.asks.map(({ id, state }): [string, string] => [id, state]));
		queues.push(...update.prompts.map(({ sessionId }) => sessionId));
	});
	return {
		deltas,
		asks,
		queues,
		async sees(lines: readonly ChainedLine[]) {
			await waitFor(() => seen.length >= lines.length || undefined, {
				what: `${lines.length} lines`,
				seen: () => seen.map(({ seqNo }) => seqNo),
				deadlineMs: 20_000,
			});
			expect(seen.map(({ seqNo }) => seqNo)).toEqual(lines.map(({ seqNo }) => seqNo));
			expect(seen.map(({ line }) => line)).toEqual(lines.map(({ line }) => line));
		},
	};
}

function sampleLines(count: number): Promise<ChainedLine[]> {
	return sampleLog(
		'runner-1',
		Array.from({ length: count }, (_, at) => `s${at % 3}`),
	);
}

async function append(runner: ScriptedRunner, lines: readonly ChainedLine[], each: number): Promise<void> {
	for (let at = 0; at < lines.length; at += each) {
		const batch = lines.slice(at, at + each);
		runner.append(batch);
		await runner.acknowledged(batch.at(-1)?.seqNo ?? 0);
	}
}
