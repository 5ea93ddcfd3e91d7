import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { runnerId } from '@roost/protocol/ids';
import { sampleAppend, sampleEvent } from '@roost/testkit/rigs/record/sample-append';
import { createTempDir } from '@roost/testkit/rigs/temp-dir';
import { unwrap } from '@roost/testkit/rigs/unwrap';
import { describe, expect, it } from 'vitest';
import { keepHeads } from './keep-heads.ts';
import { createLogSearch } from './log-search.ts';
import { openForWriting } from './open-database.ts';
import { openSqliteStore } from './sqlite-store.ts';
import { createSqliteWriter } from './sqlite-writer.ts';

/** A writer that still runs, so that nothing has been indexed yet. */
async function createWorld(events: number) {
	const directory = await createTempDir();
	const path = join(directory.path, 'roost.db');
	const db = openForWriting(path);
	const store = createSqliteWriter({ db, path, heads: keepHeads(db, `${path}.heads`), onClosed: () => {} });
	unwrap(
		await store.append(
			sampleAppend(
				'a',
				Array.from({ length: events }, (_, at) => sampleEvent('a', at + 1)),
			),
		),
	);
	return {
		db,
		store,
		path,
		async [Symbol.asyncDispose]() {
			await store.close();
			await directory[Symbol.asyncDispose]();
		},
	};
}

function countIndexed(db: DatabaseSync): unknown {
	return db.prepare('SELECT count(*) AS indexed FROM event_text').get()?.indexed;
}

describe('log search', () => {
	it('finds events before they are indexed, newest first, even if there are many', async () => {
		await using world = await createWorld(4_500);
		await using reader = unwrap(openSqliteStore({ path: world.path, access: 'read' }));
		expect(countIndexed(world.db)).toBe(0);
		expect(unwrap(reader.search({ words: 'thing', limit: 3 })).map(({ offset }) => offset)).toEqual([4_500, 4_499, 4_498]);
		expect(unwrap(reader.search({ words: 'prompt 7', limit: 2_000 }))).toHaveLength(
			unwrap(world.store.search({ words: 'prompt 7', limit: 2_000 })).length,
		);
		expect(unwrap(reader.search({ words: '"do thing 1"', limit: 5 })).length).toBeGreaterThan(0);
	});

	it('indexes without syncing the disk, and syncs the next append again, even if indexing failed', async () => {
		await using world = await createWorld(1);
		const executed: string[] = [];
		const exec = world.db.exec.bind(world.db);
		world.db.exec = (sql) => {
			executed.push(sql);
			exec(sql);
		};
		createLogSearch(world.db).catchUp(10);
		expect(executed).toEqual(['PRAGMA synchronous = NORMAL', 'BEGIN IMMEDIATE', 'COMMIT', 'PRAGMA synchronous = FULL']);
		unwrap(await world.store.append(sampleAppend('a', [sampleEvent('a', 2)])));
		exec('ALTER TABLE event_text RENAME TO elsewhere');
		expect(() => createLogSearch(world.db).catchUp(10)).toThrow();
		exec('ALTER TABLE elsewhere RENAME TO event_text');
		expect(world.db.prepare('PRAGMA synchronous').get()).toEqual({ synchronous: 2 });
	});

	it('searches only the allowed number of unindexed events, and indexes nothing', async () => {
		await using world = await createWorld(4_500);
		const offsetsOf = (unindexed: number) =>
			unwrap(world.store.search({ words: 'thing', limit: 9_000, unindexed })).map(({ offset }) => offset);
		expect(offsetsOf(3)).toEqual([4_500, 4_499, 4_498]);
		expect(offsetsOf(2_500)).toHaveLength(2_500);
		expect(offsetsOf(0)).toEqual([]);
		expect(countIndexed(world.db)).toBe(0);
	});

	it('combines indexed and unindexed events, each once', async () => {
		await using world = await createWorld(10);
		const search = createLogSearch(world.db);
		expect(search.catchUp(4)).toBe(true);
		expect(countIndexed(world.db)).toBe(4);
		expect(search.lag()).toBe(6);
		const offsets = search.find({ words: 'thing', limit: 20 }).map(({ offset }) => offset);
		expect(offsets).toEqual([10, 9, 8, 7, 6, 5, 4, 3, 2, 1]);
		expect(search.find({ words: 'thing', limit: 8 })).toHaveLength(8);
		expect(search.find({ words: 'thing', limit: 0 })).toEqual([]);
	});

	it('reports when nothing is left to index, for each runner', async () => {
		await using world = await createWorld(5);
		unwrap(await world.store.append(sampleAppend('b', [sampleEvent('b', 1)], { runnerId: runnerId.parse('runner-2') })));
		const search = createLogSearch(world.db);
		const worked: boolean[] = [];
		for (let round = 0; round < 4; round++) worked.push(search.catchUp(3));
		expect(worked).toEqual([true, true, true, false]);
		expect(countIndexed(world.db)).toBe(6);
	});

	it('indexes automatically once the writer is idle', async () => {
		await using world = await createWorld(250);
		await expect.poll(() => countIndexed(world.db), { timeout: 10_000 }).toBe(250);
	});

	it('skips a line that is not an event', async () => {
		await using world = await createWorld(3);
		world.db.exec(`UPDATE events SET line = 'torn' WHERE offset = 2`);
		expect(unwrap(world.store.search({ words: 'thing', limit: 5 })).map(({ offset }) => offset)).toEqual([3, 1]);
	});

	it('leaves a complete index when the writer closes', async () => {
		await using directory = await createTempDir();
		const path = join(directory.path, 'roost.db');
		const writer = unwrap(openSqliteStore({ path, access: 'write' }));
		unwrap(await writer.append(sampleAppend('a', [sampleEvent('a', 1)])));
		await writer.close();
		using db = new DatabaseSync(path, { readOnly: true });
		expect(countIndexed(db)).toBe(1);
	});
});
