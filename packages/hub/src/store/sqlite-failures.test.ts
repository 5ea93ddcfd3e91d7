import { statSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { openForWriting } from '@roost/store/open-database';
import { numberOf } from '@roost/store/row-values';
import { openSqliteStore } from '@roost/store/sqlite-store';
import { sampleBatch, sampleLog } from '@roost/testkit/rigs/hub/sample-log';
import { createTempDir } from '@roost/testkit/rigs/temp-dir';
import { unwrap, unwrapError } from '@roost/testkit/rigs/unwrap';
import { expect, it } from 'vitest';
import { createHubParts } from './hub-parts.ts';
import { pair } from './hub-store.contract.ts';
import { HUB_SCHEMA, openSqliteHubStore } from './sqlite-hub-store.ts';
import { createSqliteLogWriter } from './sqlite-log-writer.ts';
import { createSqliteSql } from './sqlite-sql.ts';
import { createSqliteWords } from './sqlite-words.ts';

it('is a private file that is synced at every commit', async () => {
	await using directory = await createTempDir();
	const path = join(directory.path, 'hub.db');
	await using _ = unwrap(openSqliteHubStore({ path }));
	expect(statSync(path).mode & 0o777).toBe(0o600);
	using db = openForWriting(join(directory.path, 'other.db'), HUB_SCHEMA);
	expect(db.prepare('PRAGMA journal_mode').get()).toEqual({ journal_mode: 'wal' });
	// 2 is FULL.
	expect(db.prepare('PRAGMA synchronous').get()).toEqual({ synchronous: 2 });
});

it('is of one hub at a time', async () => {
	await using directory = await createTempDir();
	const path = join(directory.path, 'hub.db');
	const first = unwrap(openSqliteHubStore({ path }));
	expect(unwrapError(openSqliteHubStore({ path }))).toMatchObject({
		code: 'store_busy',
		message: expect.stringContaining(`process ${process.pid}. Use that hub, or stop it first.`),
	});
	await first[Symbol.asyncDispose]();
	await using _ = unwrap(openSqliteHubStore({ path }));
});

it('rejects the file of a record, which rejects the file of a hub', async () => {
	await using directory = await createTempDir();
	const [hub, record] = [join(directory.path, 'hub.db'), join(directory.path, 'roost.db')];
	await unwrap(openSqliteHubStore({ path: hub }))[Symbol.asyncDispose]();
	await unwrap(openSqliteStore({ path: record, access: 'write' }))[Symbol.asyncDispose]();
	for (const opened of [openSqliteHubStore({ path: record }), openSqliteStore({ path: hub, access: 'write' })]) {
		const advice = expect.stringContaining('is a database of another program. Choose another path');
		expect(unwrapError(opened)).toMatchObject({ code: 'corrupt', message: advice });
	}
});

it('rejects a file of a newer Roost, and does not change it', async () => {
	await using directory = await createTempDir();
	const path = join(directory.path, 'hub.db');
	await unwrap(openSqliteHubStore({ path }))[Symbol.asyncDispose]();
	using db = new DatabaseSync(path);
	db.exec('PRAGMA user_version = 1000');
	const advice = expect.stringMatching(/schema version 1000, .* Update Roost/);
	expect(unwrapError(openSqliteHubStore({ path }))).toMatchObject({ code: 'schema_too_new', message: advice });
	expect(db.prepare('PRAGMA user_version').get()).toEqual({ user_version: 1_000 });
});

it('stores nothing while the disk is full, and continues when there is space', async () => {
	await using directory = await createTempDir();
	const path = join(directory.path, 'hub.db');
	using db = openForWriting(path, HUB_SCHEMA);
	const sql = createSqliteSql(db, path);
	const store = createHubParts(sql, createSqliteLogWriter(db, sql), createSqliteWords(db, sql));
	const log = await pair(store, 'runner-1');
	const lines = await sampleLog('runner-1', ['a', 'b'], 'x'.repeat(100_000));
	const pages = numberOf(db.prepare('PRAGMA page_count').get() ?? {}, 'page_count');
	db.exec(`PRAGMA max_page_count = ${pages}`);
	const [refused, end] = await Promise.all([store.logs.take(sampleBatch(log, lines)), store.logs.end(log)]);
	expect(unwrapError(refused)).toMatchObject({
		code: 'store_unavailable',
		message: expect.stringMatching(/is full\. Free some space/),
	});
	expect(unwrap(end).lastSeqNo).toBe(0);
	db.exec('PRAGMA max_page_count = 1000000');
	expect(unwrap(await store.logs.take(sampleBatch(log, lines))).lastSeqNo).toBe(2);
	expect(unwrap(await store.rows.sessions(log.runnerId, {}))).toHaveLength(2);
});

it('runs no other statement inside an open transaction', async () => {
	await using directory = await createTempDir();
	const path = join(directory.path, 'hub.db');
	using db = openForWriting(path, HUB_SCHEMA);
	const sql = createSqliteSql(db, path);
	const count = 'SELECT count(*) AS users FROM users';
	const failed = sql.transaction(async (inside) => {
		await inside.run('INSERT INTO users (name) VALUES ($1)', ['ada']);
		await new Promise(setImmediate);
		throw new RangeError('a bug');
	});
	const [seen] = await Promise.all([sql.all(count), expect(failed).rejects.toThrow(RangeError)]);
	expect(seen).toEqual([{ users: 0 }]);
});
