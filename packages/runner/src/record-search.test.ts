import { join } from 'node:path';
import { openSqliteStore } from '@roost/store/sqlite-store';
import { sampleAppend, sampleEvent } from '@roost/testkit/rigs/sample-append';
import { createTempDir } from '@roost/testkit/rigs/temp-dir';
import { unwrap, unwrapError } from '@roost/testkit/rigs/unwrap';
import { describe, expect, it } from 'vitest';
import { searchRecord } from './record-search.ts';

async function openWorld(events: number) {
	await using stack = new AsyncDisposableStack();
	const directory = stack.use(await createTempDir());
	const store = stack.use(unwrap(openSqliteStore({ path: join(directory.path, 'roost.db'), access: 'write' })));
	const all = Array.from({ length: events }, (_, at) => sampleEvent('a', at + 1));
	unwrap(await store.append(sampleAppend('a', all)));
	const owned = stack.move();
	return { store, [Symbol.asyncDispose]: () => owned.disposeAsync() };
}

describe('searching the record of a running runner', () => {
	it('names the event of every hit, the newest first', async () => {
		await using world = await openWorld(3);
		const { hits, unsearched } = unwrap(searchRecord(world.store, { words: 'prompt', limit: 2 }));
		expect(unsearched).toBe(0);
		expect(hits).toMatchObject([
			{ sessionId: 'a', eventId: 'a:R1:E3', offset: 3, kind: 'user.prompt' },
			{ sessionId: 'a', eventId: 'a:R1:E2', offset: 2 },
		]);
		expect(hits[0]).not.toHaveProperty('stream');
	});

	it('looks at a bounded part of what is not indexed yet, and says how much it left out', async () => {
		await using world = await openWorld(1_500);
		const found = unwrap(searchRecord(world.store, { words: 'prompt', limit: 5_000 }));
		expect(found.hits).toHaveLength(1_000);
		expect(found.unsearched).toBe(500);
	});

	it('fails with the store', async () => {
		await using world = await openWorld(1);
		await world.store.close();
		expect(unwrapError(searchRecord(world.store, { words: 'prompt', limit: 1 })).code).toBe('store_unavailable');
	});
});
