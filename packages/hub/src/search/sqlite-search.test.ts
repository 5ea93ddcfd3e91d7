import { join } from 'node:path';
import { runnerId } from '@roost/protocol/ids';
import { openForWriting } from '@roost/store/open-database';
import { sampleBatch } from '@roost/testkit/rigs/hub/sample-log';
import { sampleRecord } from '@roost/testkit/rigs/hub/sample-record';
import { createTempDir } from '@roost/testkit/rigs/temp-dir';
import { unwrap } from '@roost/testkit/rigs/unwrap';
import { expect, it } from 'vitest';
import { pair } from '../store/hub-store.contract.ts';
import { createHubLogs } from '../store/log-tables.ts';
import { createHubRunners } from '../store/runner-table.ts';
import { HUB_SCHEMA, openSqliteHubStore } from '../store/sqlite-hub-store.ts';
import { createSqliteLogWriter } from '../store/sqlite-log-writer.ts';
import { createSqliteSql } from '../store/sqlite-sql.ts';
import { describeHubSearch, indexAll } from './search.contract.ts';
import { searchLog } from './search-log.ts';

describeHubSearch('search in the SQLite store of a hub', async () => {
	const directory = await createTempDir();
	const store = unwrap(openSqliteHubStore({ path: join(directory.path, 'hub.db') }));
	return {
		store,
		reopen: async () => store,
		async [Symbol.asyncDispose]() {
			await store[Symbol.asyncDispose]();
			await directory[Symbol.asyncDispose]();
		},
	};
});

it('indexes the lines of a file that was written before there was an index', async () => {
	await using directory = await createTempDir();
	const path = join(directory.path, 'hub.db');
	await using record = await sampleRecord('runner-1', [
		{ session: 's1', kind: 'agent.message', data: { text: 'an old needle' } },
	]);
	{
		using db = openForWriting(path, { ...HUB_SCHEMA, steps: HUB_SCHEMA.steps.slice(0, 1) });
		const sql = createSqliteSql(db, path);
		const logs = createHubLogs(sql, createSqliteLogWriter(db, sql));
		const log = await pair({ runners: createHubRunners(sql), logs }, 'runner-1');
		unwrap(await logs.take(sampleBatch(log, record.lines)));
	}
	await using store = unwrap(openSqliteHubStore({ path }));
	await indexAll(store, 'runner-1');
	const log = unwrap(await store.logs.current(runnerId.parse('runner-1')));
	expect(unwrap(await searchLog(store.words, log, { words: 'needle', limit: 5 }))).toMatchObject({
		hits: [{ offset: 1 }],
		unsearched: 0,
	});
});
