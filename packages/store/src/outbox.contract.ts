// The contract of every store for its outbox: an event enters with its append and leaves with its acknowledgement; the log stays unchanged.

import { runnerId, sessionId, streamId } from '@roost/protocol/ids';
import { sampleAppend, sampleEvent, sampleSession } from '@roost/testkit/rigs/record/sample-append';
import { unwrap, unwrapError } from '@roost/testkit/rigs/unwrap';
import { expect, it } from 'vitest';
import type { StoreWorld } from './store.contract.ts';
import type { Store } from './store.ts';

const RUNNER = runnerId.parse('runner-1');
const OTHER = runnerId.parse('runner-2');

export function describeOutbox(createWorld: () => Promise<StoreWorld>): void {
	describeSending(createWorld);
	describeAcknowledging(createWorld);
	describeReadingBeside(createWorld);
	describeEpochs(createWorld);
}

function describeSending(createWorld: () => Promise<StoreWorld>): void {
	it('contains every appended event, in seqNo order, with the bytes that were written', async () => {
		await using world = await createWorld();
		expect(unwrap(world.store.outbox.state(RUNNER))).toEqual({ flushedSeqNo: 0, lastSeqNo: 0 });
		expect(unwrap(world.store.outbox.readUnflushed({ runnerId: RUNNER, limit: 10 }))).toEqual([]);
		const entries = [];
		for (const [session, seq] of [['a', 1] as const, ['b', 1] as const, ['a', 2] as const]) {
			entries.push(...unwrap(await world.store.append(sampleAppend(session, [sampleEvent(session, seq)]))).entries);
			expect(unwrap(world.store.outbox.readUnflushed({ runnerId: RUNNER, limit: 10 }))).toEqual(entries);
		}
		expect(unwrap(world.store.outbox.state(RUNNER))).toEqual({ flushedSeqNo: 0, lastSeqNo: 3 });
	});

	it('contains nothing of a rejected append', async () => {
		await using world = await createWorld();
		await appendSome(world.store, 1);
		unwrapError(await world.store.append(sampleAppend('a', [sampleEvent('a', 2), sampleEvent('a', 1)])));
		expect(seqNosOf(world.store)).toEqual([1]);
	});

	it('returns the same events until they are acknowledged, up to the limit', async () => {
		await using world = await createWorld();
		await appendSome(world.store, 5);
		expect([seqNosOf(world.store, 2), seqNosOf(world.store, 2), seqNosOf(world.store, 0)]).toEqual([[1, 2], [1, 2], []]);
		unwrap(await world.store.outbox.markFlushed({ runnerId: RUNNER, epoch: 1, seqNo: 2 }));
		expect(seqNosOf(world.store, 2)).toEqual([3, 4]);
		for (const limit of [-1, 0.5, Number.NaN]) {
			expect(unwrapError(world.store.outbox.readUnflushed({ runnerId: RUNNER, limit })).code).toBe('bad_request');
		}
	});

	it('is separate for each runner', async () => {
		await using world = await createWorld();
		await appendSome(world.store, 3);
		await world.store.append(sampleAppend('b', [sampleEvent('b', 1)], { runnerId: OTHER }));
		unwrap(await world.store.outbox.markFlushed({ runnerId: OTHER, epoch: 1, seqNo: 1 }));
		expect(unwrap(world.store.outbox.state(OTHER))).toEqual({ flushedSeqNo: 1, lastSeqNo: 1 });
		expect(seqNosOf(world.store)).toEqual([1, 2, 3]);
		expect(unwrapError(await world.store.outbox.markFlushed({ runnerId: OTHER, epoch: 1, seqNo: 2 })).code).toBe('conflict');
	});
}

function describeAcknowledging(createWorld: () => Promise<StoreWorld>): void {
	it('drops acknowledged events but none after them', async () => {
		await using world = await createWorld();
		await appendSome(world.store, 4);
		expect(unwrap(await world.store.outbox.markFlushed({ runnerId: RUNNER, epoch: 1, seqNo: 3 }))).toEqual({
			flushedSeqNo: 3,
			lastSeqNo: 4,
		});
		expect(seqNosOf(world.store)).toEqual([4]);
		unwrap(await world.store.outbox.markFlushed({ runnerId: RUNNER, epoch: 1, seqNo: 4 }));
		expect(seqNosOf(world.store)).toEqual([]);
		await appendSome(world.store, 1, 5);
		expect(seqNosOf(world.store)).toEqual([5]);
	});

	it('ignores a late or repeated acknowledgement', async () => {
		await using world = await createWorld();
		await appendSome(world.store, 4);
		unwrap(await world.store.outbox.markFlushed({ runnerId: RUNNER, epoch: 1, seqNo: 3 }));
		for (const late of [3, 1, 0]) {
			expect(unwrap(await world.store.outbox.markFlushed({ runnerId: RUNNER, epoch: 1, seqNo: late }))).toEqual({
				flushedSeqNo: 3,
				lastSeqNo: 4,
			});
		}
		expect(seqNosOf(world.store)).toEqual([4]);
	});

	it('rejects an acknowledgement past the end of the log, so that later events are not lost', async () => {
		await using world = await createWorld();
		await appendSome(world.store, 2);
		expect(unwrapError(await world.store.outbox.markFlushed({ runnerId: RUNNER, epoch: 1, seqNo: 3 }))).toMatchObject({
			code: 'conflict',
			message: expect.stringContaining('the log ends at 2'),
		});
		expect(
			unwrapError(await world.store.outbox.markFlushed({ runnerId: runnerId.parse('nobody'), epoch: 1, seqNo: 1 })).code,
		).toBe('conflict');
		await appendSome(world.store, 2, 3);
		expect(seqNosOf(world.store)).toEqual([1, 2, 3, 4]);
	});

	it('rejects an invalid seqNo', async () => {
		await using world = await createWorld();
		await appendSome(world.store, 2);
		for (const seqNo of [-1, 1.5, Number.NaN, Number.POSITIVE_INFINITY]) {
			expect(unwrapError(await world.store.outbox.markFlushed({ runnerId: RUNNER, epoch: 1, seqNo })).code).toBe('bad_request');
		}
		expect(seqNosOf(world.store)).toEqual([1, 2]);
	});
}

function describeReadingBeside(createWorld: () => Promise<StoreWorld>): void {
	it('does not affect other queries with acknowledgements', async () => {
		await using world = await createWorld();
		const events = [1, 2, 3].map((seq) => sampleEvent('a', seq));
		unwrap(await world.store.append(sampleAppend('a', events, { session: sampleSession('a') })));
		const readings = () => [
			world.store.read({ stream: streamId.parse('a'), after: 0, limit: 10 }),
			world.store.read({ afterSeqNo: 0, limit: 10 }),
			world.store.sessions({ id: sessionId.parse('a') }),
			world.store.search({ words: 'thing', limit: 10 }),
			world.store.verify(),
		];
		const before = readings();
		expect(before.map(({ ok }) => ok)).toEqual(before.map(() => true));
		for (const seqNo of [1, 3]) {
			unwrap(await world.store.outbox.markFlushed({ runnerId: RUNNER, epoch: 1, seqNo }));
			expect(readings()).toEqual(before);
		}
	});

	it('is closed with the store', async () => {
		await using world = await createWorld();
		await appendSome(world.store, 1);
		await world.store.close();
		const answers = [
			world.store.outbox.state(RUNNER),
			world.store.outbox.readUnflushed({ runnerId: RUNNER, limit: 1 }),
			await world.store.outbox.markFlushed({ runnerId: RUNNER, epoch: 1, seqNo: 1 }),
		];
		expect(answers.map((answer) => unwrapError(answer).code)).toEqual(answers.map(() => 'store_unavailable'));
	});
}

function describeEpochs(createWorld: () => Promise<StoreWorld>): void {
	it('starts again from the first event in a new epoch, and rejects an acknowledgement of another epoch', async () => {
		await using world = await createWorld();
		await appendSome(world.store, 3);
		expect(unwrap(world.store.epoch())).toBe(1);
		unwrap(await world.store.outbox.markFlushed({ runnerId: RUNNER, epoch: 1, seqNo: 2 }));
		expect(unwrap(await world.store.openEpoch('a backup was restored', 1_700_000_000_000))).toBe(2);
		expect(unwrap(world.store.epoch())).toBe(2);
		expect(seqNosOf(world.store)).toEqual([1, 2, 3]);
		for (const epoch of [1, 3]) {
			const late = unwrapError(await world.store.outbox.markFlushed({ runnerId: RUNNER, epoch, seqNo: 3 }));
			expect(late).toMatchObject({ code: 'conflict', message: expect.stringContaining('runner-1, epoch 2. Start again from 0') });
		}
		expect(seqNosOf(world.store)).toEqual([1, 2, 3]);
		unwrap(await world.store.outbox.markFlushed({ runnerId: RUNNER, epoch: 2, seqNo: 3 }));
		expect(seqNosOf(world.store)).toEqual([]);
		expect(unwrap(world.store.verify()).intact).toBe(true);
	});

	it('opens an epoch above every epoch that is known elsewhere', async () => {
		await using world = await createWorld();
		expect(unwrap(await world.store.openEpoch('a backup was restored', 1, 7))).toBe(8);
		expect(unwrap(await world.store.openEpoch('an older backup was restored', 2, 3))).toBe(9);
		expect(unwrap(world.store.epoch())).toBe(9);
	});
}

async function appendSome(store: Store, count: number, first = 1): Promise<void> {
	const events = Array.from({ length: count }, (_, at) => sampleEvent('a', first + at));
	unwrap(await store.append(sampleAppend('a', events)));
}

function seqNosOf(store: Store, limit = 100): number[] {
	return unwrap(store.outbox.readUnflushed({ runnerId: RUNNER, limit })).map(({ seqNo }) => seqNo);
}
