import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { runnerId } from '@roost/protocol/ids';
import type { LogName } from '@roost/protocol/log-cursor';
import { openForWriting } from '@roost/store/open-database';
import { sampleBatch } from '@roost/testkit/rigs/hub/sample-log';
import { sampleRecord } from '@roost/testkit/rigs/hub/sample-record';
import { createTempDir } from '@roost/testkit/rigs/temp-dir';
import { unwrap } from '@roost/testkit/rigs/unwrap';
import { expect, it } from 'vitest';
import { pair } from '../store/hub-store.contract.ts';
import type { HubStore } from '../store/hub-store.ts';
import { createHubLogs } from '../store/log-tables.ts';
import { createHubRunners } from '../store/runner-table.ts';
import { HUB_SCHEMA, openSqliteHubStore } from '../store/sqlite-hub-store.ts';
import { createSqliteLogWriter } from '../store/sqlite-log-writer.ts';
import { createSqliteSql } from '../store/sqlite-sql.ts';
import { describeHubSearch, indexAll } from './search.contract.ts';
import { searchLog } from './search-log.ts';

const ROUNDS = process.env.ROOST_SOAK === '1' ? 30 : 3;
const INDEXER = fileURLToPath(import.meta.resolve('@roost/testkit/rigs/hub/index-crash-indexer'));

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

it(`indexes every line once when it is killed meanwhile, in ${ROUNDS} rounds`, { timeout: 120_000 }, async () => {
	await using directory = await createTempDir();
	const path = join(directory.path, 'hub.db');
	const lines = 400 * ROUNDS;
	await using record = await sampleRecord(
		'runner-1',
		Array.from({ length: lines }, (_, at) => ({ session: 's1', kind: 'agent.message', data: { text: `thing ${at}` } })),
	);
	await using world = new AsyncDisposableStack();
	const store = world.use(unwrap(openSqliteHubStore({ path })));
	const log = await pair(store, 'runner-1');
	unwrap(await store.logs.take(sampleBatch(log, record.lines)));
	await store[Symbol.asyncDispose]();
	for (let round = 0; round < ROUNDS; round += 1) {
		const printed = await indexUntilKilled(path, 1 + round * 4, 1 + Math.floor(Math.random() * 40));
		await using reopened = unwrap(openSqliteHubStore({ path }));
		const { indexed } = unwrap(await reopened.words.state(log));
		// What a killed process had committed is not lost with it.
		expect(indexed).toBeGreaterThanOrEqual(printed);
		expect(await foundIn(reopened, log)).toEqual(Array.from({ length: indexed }, (_, at) => indexed - at));
	}
	await using last = unwrap(openSqliteHubStore({ path }));
	await indexAll(last, 'runner-1');
	expect(await foundIn(last, log)).toEqual(Array.from({ length: lines }, (_, at) => lines - at));
});

async function foundIn({ words }: HubStore, log: LogName): Promise<number[]> {
	return unwrap(await words.find(log, { words: 'thing', limit: 100_000 })).map(({ seqNo }) => seqNo);
}

/** The last position that it printed. */
async function indexUntilKilled(path: string, slice: number, after: number): Promise<number> {
	const child = spawn(process.execPath, ['--conditions=source', INDEXER, path, `${slice}`], {
		stdio: ['ignore', 'pipe', 'inherit'],
	});
	const ended = once(child, 'close');
	let text = '';
	child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
		text += chunk;
		if (text.split('\n').length > after) child.kill('SIGKILL');
	});
	await ended;
	return Number(text.split('\n').at(-2) ?? 0);
}
