import { type ServerFrame, serverFrame } from '@roost/protocol/api/stream-frames';
import { createTestBackend } from '@roost/testkit/rigs/api/test-backend';
import { sampleEvent } from '@roost/testkit/rigs/record/sample-append';
import { describe, expect, it } from 'vitest';
import { DEFAULT_LIMITS } from '../http/limits.ts';
import { createConnection } from './connection.ts';
import { createFanOut } from './fan-out.ts';

function createRig() {
	const world = createTestBackend();
	const { backend } = world;
	const fanOut = createFanOut(backend);
	function join(queueBytes = DEFAULT_LIMITS.queueBytes) {
		const wire: { frame: Buffer; taken: () => void }[] = [];
		const cuts: string[] = [];
		const connection = createConnection({
			backend,
			call: async ({ id }) => ({ type: 'result', id, ok: true }),
			limits: { ...DEFAULT_LIMITS, queueBytes },
			wire: {
				write: (frame, taken) => wire.push({ frame, taken }),
				close: () => cuts.push('closed'),
				cut: () => cuts.push('cut'),
				later: (action) => action(),
			},
		});
		const leave = fanOut.add(connection);
		const types = () => wire.map(({ frame }) => serverFrame.parse(JSON.parse(frame.toString())).type);
		return { connection, wire, cuts, leave, types, last: () => wire.at(-1)?.frame };
	}
	return { world, fanOut, join, [Symbol.asyncDispose]: world[Symbol.asyncDispose] };
}

const ALL = JSON.stringify({ type: 'subscribe-all', sub: 'a', after: null });

describe('fan-out', () => {
	it('encodes a frame once for all clients', async () => {
		await using rig = createRig();
		const one = rig.join();
		const two = rig.join();
		for (const { connection } of [one, two]) connection.receive(ALL);
		await rig.world.append('s1', 1);
		await rig.world.append('s1', 1);
		expect(one.last()?.toString()).toContain('"type":"line"');
		expect(one.last()).toBe(two.last());
		rig.world.openAsk('a1');
		expect(one.last()?.toString()).toContain('"type":"ask"');
		expect(one.last()).toBe(two.last());
	});

	it('does not repeat lines that a client already read from the log', async () => {
		await using rig = createRig();
		const entries = await rig.world.store('s1', 2);
		const one = rig.join();
		one.connection.receive(ALL);
		rig.world.report({ entries });
		expect(one.types()).toEqual(['hello', 'line', 'line', 'caught-up', 'session']);
	});

	it('reads lines from the log that were stored without an update', async () => {
		await using rig = createRig();
		const one = rig.join();
		one.connection.receive(ALL);
		await rig.world.store('s1', 2);
		await rig.world.append('s1', 1);
		expect(one.types()).toEqual(['hello', 'caught-up', 'lagged', 'line', 'line', 'line', 'caught-up']);
	});

	it('sends nothing to a client that has left', async () => {
		await using rig = createRig();
		const one = rig.join();
		one.connection.receive(ALL);
		one.leave();
		const before = one.wire.length;
		await rig.world.append('s1', 1);
		expect(one.wire).toHaveLength(before);
	});

	it('keeps only the latest state of an ask for a slow client, and drops deltas', async () => {
		await using rig = createRig();
		const slow = rig.join(1);
		slow.connection.receive(ALL);
		const before = slow.wire.length;
		rig.world.openAsk('a1');
		rig.world.report({ deltas: [sampleEvent('s1', 1, { kind: 'agent.delta', data: { text: 'he' } })] });
		rig.world.openAsk('a1', { state: 'denied' });
		expect(slow.wire).toHaveLength(before);
		const seen: ServerFrame[] = [];
		for (let next = slow.wire.shift(); next; next = slow.wire.shift()) {
			seen.push(serverFrame.parse(JSON.parse(next.frame.toString())));
			next.taken();
		}
		expect(seen.flatMap((frame) => (frame.type === 'ask' ? [frame.ask.state] : []))).toEqual(['denied']);
		expect(seen.map(({ type }) => type)).not.toContain('delta');
	});

	it('disconnects a client that sends pings without reading the responses', async () => {
		await using rig = createRig();
		const greedy = rig.join(1_000);
		for (let ping = 0; ping < 1_000 && greedy.cuts.length === 0; ping++) greedy.connection.receive('{"type":"ping"}');
		expect(greedy.cuts).toEqual(['cut']);
		expect(greedy.wire.reduce((sum, { frame }) => sum + frame.length, 0)).toBeLessThan(2_100);
	});
});
