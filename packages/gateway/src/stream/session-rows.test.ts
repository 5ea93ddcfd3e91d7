// The live list of sessions: current rows first, then changed ones, for clients that asked for it.
import { type ServerFrame, serverFrame } from '@roost/protocol/api/stream-frames';
import type { SessionRow } from '@roost/protocol/session-row';
import { createTestBackend, type TestBackend } from '@roost/testkit/rigs/api/test-backend';
import { createManualTimers } from '@roost/testkit/rigs/manual-timers';
import { sampleAppend, sampleEvent, sampleSession } from '@roost/testkit/rigs/record/sample-append';
import { unwrap } from '@roost/testkit/rigs/unwrap';
import { describe, expect, it } from 'vitest';
import { DEFAULT_LIMITS } from '../http/limits.ts';
import type { SessionRows } from '../operations/backend.ts';
import { ROW_INTERVAL_MS } from './changed-sessions.ts';
import { createConnection } from './connection.ts';
import { createFanOut } from './fan-out.ts';

function createRig(change: (rows: SessionRows) => SessionRows = (rows) => rows) {
	const world = createTestBackend();
	const backend = { ...world.backend, sessionRows: change(world.backend.sessionRows) };
	const timers = createManualTimers();
	const fanOut = createFanOut(backend, timers.after);
	return {
		world,
		timers,
		join: (queueBytes = DEFAULT_LIMITS.queueBytes) => join(queueBytes),
		async [Symbol.asyncDispose]() {
			fanOut[Symbol.dispose]();
			await world[Symbol.asyncDispose]();
		},
	};

	function join(queueBytes: number) {
		const wire: { frame: Buffer; taken: () => void }[] = [];
		const frames: ServerFrame[] = [];
		const cuts: string[] = [];
		const connection = createConnection({
			backend,
			call: async ({ id }) => ({ type: 'result', id, ok: true }),
			limits: { ...DEFAULT_LIMITS, queueBytes },
			wire: {
				write: (frame, taken) => wire.push({ frame, taken }),
				close: (_, reason) => cuts.push(reason),
				cut: () => cuts.push('cut'),
				later: (action) => action(),
			},
		});
		fanOut.add(connection);
		/** Everything that was sent, read by the client. */
		function read(): ServerFrame[] {
			for (let next = wire.shift(); next; next = wire.shift()) {
				frames.push(serverFrame.parse(JSON.parse(next.frame.toString())));
				next.taken();
			}
			return frames;
		}
		return {
			wire,
			cuts,
			frames: read,
			send: (frame: object) => connection.receive(JSON.stringify(frame)),
			rows: () => read().flatMap((frame) => (frame.type === 'session-row' ? [frame.row] : [])),
			types: () => read().map(({ type }) => type),
		};
	}
}

const SUBSCRIBE = { type: 'subscribe-sessions', sub: 'list' };

async function storeRow(world: TestBackend, id: string, over: Partial<SessionRow> = {}): Promise<void> {
	unwrap(await world.kept.append(sampleAppend(id, [sampleEvent(id, 1)], { session: sampleSession(id, over) })));
}

describe('list of sessions on the stream', () => {
	it('starts with the current rows, newest first and without archived ones', async () => {
		await using rig = createRig();
		await storeRow(rig.world, 'old', { startedAt: 1 });
		await storeRow(rig.world, 'hidden', { startedAt: 2, archived: true });
		await storeRow(rig.world, 'new', { startedAt: 3 });
		const client = rig.join();
		client.send(SUBSCRIBE);
		expect(client.rows().map(({ id }) => id)).toEqual(['new', 'old']);
		expect(client.frames().at(-1)).toEqual({ type: 'caught-up', sub: 'list' });
	});

	it('starts with no more rows than requested', async () => {
		await using rig = createRig();
		for (let at = 0; at < 250; at++) await storeRow(rig.world, `s${at}`, { startedAt: at });
		const [some, all] = [rig.join(), rig.join()];
		some.send({ ...SUBSCRIBE, limit: 120 });
		all.send(SUBSCRIBE);
		expect(some.rows().map(({ id }) => id)).toEqual(Array.from({ length: 120 }, (_, at) => `s${249 - at}`));
		expect(all.rows()).toHaveLength(250);
		for (const client of [some, all]) expect(client.types().filter((type) => type === 'caught-up')).toHaveLength(1);
	});

	it('sends the latest row of a session at most once per interval, encoded once for all clients', async () => {
		await using rig = createRig();
		const [one, two] = [rig.join(), rig.join()];
		for (const client of [one, two]) client.send(SUBSCRIBE);
		for (let event = 0; event < 5; event++) await rig.world.append('s1', 1);
		expect(one.wire.at(-1)?.frame).toBe(two.wire.at(-1)?.frame);
		expect(one.rows().map(({ events }) => events)).toEqual([1]);
		rig.timers.advance(ROW_INTERVAL_MS);
		rig.timers.advance(ROW_INTERVAL_MS);
		for (const client of [one, two]) expect(client.rows().map(({ events }) => events)).toEqual([1, 5]);
	});

	it('reads no row and sends none without a subscription, or after its end', async () => {
		let reads = 0;
		await using rig = createRig((rows) => ({
			...rows,
			of(ids) {
				reads++;
				return rows.of(ids);
			},
		}));
		const client = rig.join();
		await rig.world.append('s1', 1);
		client.send(SUBSCRIBE);
		client.send({ type: 'unsubscribe', sub: 'list' });
		await rig.world.append('s1', 1);
		rig.timers.advance(ROW_INTERVAL_MS);
		expect([reads, client.rows().length]).toEqual([0, 1]);
	});

	it('contains no row for the stream of the runner itself', async () => {
		await using rig = createRig();
		const client = rig.join();
		client.send(SUBSCRIBE);
		await rig.world.append('runner:runner-1', 1);
		expect(client.rows()).toEqual([]);
	});

	it('reaches a slow client completely, as fast as it reads', async () => {
		await using rig = createRig();
		for (let at = 0; at < 1_200; at++) await rig.world.store(`s${at}`, 1);
		const slow = rig.join(2_000);
		slow.send(SUBSCRIBE);
		expect(slow.wire.length).toBeLessThan(20);
		await rig.world.append('s7', 1);
		expect(
			slow
				.rows()
				.map(({ id }) => id)
				.toSorted(),
		).toEqual(Array.from({ length: 1_200 }, (_, at) => `s${at}`).toSorted());
		expect(slow.cuts).toEqual([]);
	});

	it('keeps a changed row that is newer than a page that was read slowly', async () => {
		const { promise, resolve } = Promise.withResolvers<void>();
		await using rig = createRig((rows) => ({
			...rows,
			async page(query) {
				const read = await rows.page(query);
				await promise;
				return read;
			},
		}));
		await rig.world.store('s1', 1);
		await rig.world.store('s2', 1);
		const client = rig.join();
		client.send(SUBSCRIBE);
		await rig.world.append('s1', 1);
		resolve();
		await promise;
		await new Promise(setImmediate);
		expect(client.rows().map(({ id, events }) => [id, events])).toEqual([
			['s1', 2],
			['s2', 1],
		]);
	});

	it('is refused twice, and under the name of another subscription', async () => {
		await using rig = createRig();
		const client = rig.join();
		client.send({ type: 'subscribe-all', sub: 'a', after: null });
		client.send({ ...SUBSCRIBE, sub: 'a' });
		client.send(SUBSCRIBE);
		client.send({ ...SUBSCRIBE, sub: 'b' });
		client.send({ type: 'subscribe', sub: 'list', stream: 's1', after: 0 });
		expect(client.frames().flatMap((frame) => (frame.type === 'error' ? [frame.error.message] : []))).toEqual([
			'frame.sub: "a" is the name of another subscription.',
			'frame.sub: you are already subscribed to this as "list".',
			'frame.sub: "list" is the name of another subscription.',
		]);
	});

	it('closes the connection when the rows cannot be read', async () => {
		await using rig = createRig();
		const client = rig.join();
		await rig.world[Symbol.asyncDispose]();
		client.send(SUBSCRIBE);
		expect(client.cuts).toEqual(['the record cannot be read']);
	});
});
