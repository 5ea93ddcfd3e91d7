import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { sampleAppend, sampleAsk, sampleEvent, sampleRule, sampleSession } from '@roost/testkit/rigs/record/sample-append';
import { createTempDir } from '@roost/testkit/rigs/temp-dir';
import { unwrap, unwrapError } from '@roost/testkit/rigs/unwrap';
import { describe, expect, it } from 'vitest';
import { keepHeads } from './keep-heads.ts';
import { openForWriting } from './open-database.ts';
import { numberOf } from './row-values.ts';
import { createSqliteWriter } from './sqlite-writer.ts';

/** The writer with access to its connection, so that a test can make the disk fail. */
async function createWorld() {
	const directory = await createTempDir();
	const path = join(directory.path, 'roost.db');
	const headsPath = join(directory.path, 'heads');
	const db = openForWriting(path);
	const store = createSqliteWriter({ db, path, heads: keepHeads(db, headsPath), onClosed: () => {} });
	return {
		db,
		store,
		headsPath,
		async [Symbol.asyncDispose]() {
			await store.close();
			await directory[Symbol.asyncDispose]();
		},
	};
}

describe('writer on a full disk', () => {
	it('fails every caller of the group with advice, and recovers when there is space', async () => {
		await using world = await createWorld();
		const { db, store } = world;
		await store.append(sampleAppend('a', [sampleEvent('a', 1)]));
		const pages = numberOf(db.prepare('PRAGMA page_count').get() ?? {}, 'page_count');
		db.exec(`PRAGMA max_page_count = ${pages}`);
		const large = sampleEvent('a', 3, { kind: 'agent.message', data: { text: 'x'.repeat(100_000) } });
		const results = await Promise.all([
			store.append(
				sampleAppend('b', [sampleEvent('b', 1)], {
					session: sampleSession('b'),
					asks: [sampleAsk('1')],
					rules: { add: [sampleRule('1')] },
				}),
			),
			store.append(sampleAppend('a', [sampleEvent('a', 2), large])),
		]);
		for (const result of results) {
			expect(unwrapError(result)).toMatchObject({
				code: 'store_unavailable',
				message: expect.stringMatching(/is full\. Free some space/),
			});
		}
		expect(unwrap(store.read({ afterSeqNo: 0, limit: 10 })).map(({ offset }) => offset)).toEqual([1]);
		for (const rows of [store.sessions(), store.asks(), store.rules()]) expect(unwrap<unknown[]>(rows)).toEqual([]);

		db.exec('PRAGMA max_page_count = 1000000');
		const receipt = unwrap(await store.append(sampleAppend('a', [sampleEvent('a', 2), large])));
		expect(receipt).toMatchObject({ firstOffset: 2, firstSeqNo: 2 });
		expect(unwrap(store.verify())).toMatchObject({ intact: true });
	});

	it('also discards assigned positions if checking for a repeated event fails', async () => {
		await using world = await createWorld();
		const { db, store } = world;
		await store.append(sampleAppend('a', [sampleEvent('a', 1)]));
		const pages = numberOf(db.prepare('PRAGMA page_count').get() ?? {}, 'page_count');
		db.exec(`PRAGMA max_page_count = ${pages}`);
		const large = sampleEvent('a', 3, { kind: 'agent.message', data: { text: 'x'.repeat(100_000) } });
		const results = await Promise.all([
			store.append(sampleAppend('a', [sampleEvent('a', 1)])),
			store.append(sampleAppend('a', [sampleEvent('a', 2), large])),
		]);
		expect(results.map((result) => unwrapError(result).code)).toEqual(['store_unavailable', 'store_unavailable']);
		db.exec('PRAGMA max_page_count = 1000000');
		expect(unwrap(await store.append(sampleAppend('a', [sampleEvent('a', 2)])))).toMatchObject({ firstOffset: 2, firstSeqNo: 2 });
	});

	it('still finds events that could not be indexed', async () => {
		await using world = await createWorld();
		await world.store.append(sampleAppend('a', [sampleEvent('a', 1)]));
		world.db.exec('PRAGMA query_only = 1');
		expect(unwrap(world.store.search({ words: 'thing', limit: 5 })).map(({ offset }) => offset)).toEqual([1]);
	});
});

describe('writer on a read-only database', () => {
	it('returns an error and works again afterwards', async () => {
		await using world = await createWorld();
		world.db.exec('PRAGMA query_only = 1');
		const refused = await world.store.append(sampleAppend('a', [sampleEvent('a', 1)]));
		expect(unwrapError(refused)).toMatchObject({
			code: 'store_unavailable',
			message: expect.stringMatching(/is read-only\. Make/),
		});
		world.db.exec('PRAGMA query_only = 0');
		expect(unwrap(await world.store.append(sampleAppend('a', [sampleEvent('a', 1)])))).toMatchObject({
			firstOffset: 1,
			firstSeqNo: 1,
		});
	});
});

describe('group commit', () => {
	it('is shared by all requests of one event loop turn', async () => {
		await using world = await createWorld();
		await Promise.all(Array.from({ length: 50 }, (_, at) => world.store.append(sampleAppend('a', [sampleEvent('a', at + 1)]))));
		await Promise.all([51, 52].map((seq) => world.store.append(sampleAppend('a', [sampleEvent('a', seq)]))));
		// One head per stream and commit is written, so the heads count the commits.
		expect(headsOf(world.headsPath)).toEqual([
			['50', '"a"'],
			['52', '"a"'],
		]);
	});

	it('writes one head per affected stream', async () => {
		await using world = await createWorld();
		await Promise.all(
			['a', 'b', 'a', 'a'].map((name, at) => world.store.append(sampleAppend(name, [sampleEvent(name, at + 1)]))),
		);
		expect(headsOf(world.headsPath)).toEqual([
			['3', '"a"'],
			['1', '"b"'],
		]);
	});
});

function headsOf(path: string): string[][] {
	const [, ...heads] = readFileSync(path, 'utf8').trim().split('\n');
	return heads.map((line) => line.split(' ').slice(1));
}
