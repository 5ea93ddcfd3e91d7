import { runnerId } from '@roost/protocol/ids';
import { createMemoryStore } from '@roost/store/memory-store';
import { sampleAppend, sampleEvent } from '@roost/testkit/rigs/sample-append';
import { unwrap } from '@roost/testkit/rigs/unwrap';
import { describe, expect, it } from 'vitest';
import { createOutboxWatch } from './outbox-watch.ts';

const RUNNER = runnerId.parse('runner-1');

describe('the watch over the outbox', () => {
	it('is silent up to the limit, and warns once past it', async () => {
		await using world = createWorld(4);
		await world.append(4);
		expect(world.warnings).toEqual([]);
		await world.append(1);
		await world.append(3);
		expect(world.warnings).toEqual([
			expect.stringMatching(/^5 events wait for the hub, more than buffer\.maxEvents \(4\); all are kept/),
		]);
		expect(unwrap(world.store.outbox.readUnflushed({ runnerId: RUNNER, limit: 100 }))).toHaveLength(8);
	});

	it('counts what waits, not what is on record', async () => {
		await using world = createWorld(4);
		for (let round = 0; round < 5; round++) {
			await world.append(4);
			await world.acknowledgeAll();
		}
		expect(world.warnings).toEqual([]);
	});

	it('warns again only after the hub has caught up by half', async () => {
		await using world = createWorld(4);
		await world.append(5);
		unwrap(await world.store.outbox.markFlushed(RUNNER, 2));
		world.check();
		await world.append(3);
		expect(world.warnings).toHaveLength(1);
		await world.acknowledgeAll();
		await world.append(5);
		expect(world.warnings).toHaveLength(2);
	});

	it('says what is wrong with the record, once', async () => {
		await using world = createWorld(4);
		await world.store.close();
		world.check();
		world.check();
		expect(world.warnings).toEqual([expect.stringContaining('was closed')]);
	});
});

function createWorld(maxEvents: number) {
	const store = createMemoryStore();
	const warnings: string[] = [];
	const { check } = createOutboxWatch({ outbox: store.outbox, runnerId: RUNNER, maxEvents, warn: (line) => warnings.push(line) });
	let seq = 0;
	return {
		store,
		warnings,
		check,
		async append(count: number) {
			const events = Array.from({ length: count }, () => sampleEvent('a', ++seq));
			unwrap(await store.append(sampleAppend('a', events)));
			check();
		},
		async acknowledgeAll() {
			unwrap(await store.outbox.markFlushed(RUNNER, seq));
			check();
		},
		[Symbol.asyncDispose]: store.close,
	};
}
