import { realTimers, type Timers } from '@roost/machine/timers';
import { loneNode } from '@roost/testkit/rigs/hub/lone-node';
import { type PostgresRig, postgres, startPostgres } from '@roost/testkit/rigs/hub/postgres';
import { sampleBatch } from '@roost/testkit/rigs/hub/sample-log';
import { type SampleEvent, sampleRecord } from '@roost/testkit/rigs/hub/sample-record';
import { cannotRun } from '@roost/testkit/rigs/requirements';
import { unwrap } from '@roost/testkit/rigs/unwrap';
import { waitFor } from '@roost/testkit/rigs/wait-for';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { loadRunners } from '../runners/known-runners.ts';
import { pair } from '../store/hub-store.contract.ts';
import type { HubWords } from '../store/hub-store.ts';
import { openPostgresHubStore } from '../store/postgres-hub-store.ts';
import { createIndexer } from './indexer.ts';
import { describeHubSearch, indexAll } from './search.contract.ts';
import { searchLog } from './search-log.ts';

describe.skipIf(cannotRun([postgres()]))('with Postgres', () => {
	let server: PostgresRig;
	beforeAll(async () => {
		server = await startPostgres();
	});
	afterAll(() => server[Symbol.asyncDispose]());

	describeHubSearch('search in the Postgres store of a hub', async () => {
		const store = unwrap(await openPostgresHubStore({ url: await server.createDatabase() }));
		return { store, reopen: async () => store, [Symbol.asyncDispose]: () => store[Symbol.asyncDispose]() };
	});

	it('indexes the lines of a database that was written before there was an index', async () => {
		const url = await server.createDatabase();
		await using record = await sampleRecord('runner-1', [
			{ session: 's1', kind: 'agent.message', data: { text: 'an old needle' } },
		]);
		const before = unwrap(await openPostgresHubStore({ url }));
		const log = await pair(before, 'runner-1');
		unwrap(await before.logs.take(sampleBatch(log, record.lines)));
		await before[Symbol.asyncDispose]();
		await server.query(url, 'DROP TABLE words, indexed; DROP FUNCTION has_phrases, find_words; UPDATE roost_hub SET version = 1');
		await using store = unwrap(await openPostgresHubStore({ url }));
		await indexAll(store, 'runner-1');
		expect(unwrap(await searchLog(store.words, log, { words: 'needle', limit: 5 }))).toMatchObject({
			hits: [{ offset: 1 }],
			unsearched: 0,
		});
	});

	it('indexes every line once when two nodes index and Postgres is killed meanwhile', async () => {
		const url = await server.createDatabase();
		const prompts = Array.from(
			{ length: 3_000 },
			(_, at): SampleEvent => ({ session: 's1', kind: 'user.prompt', data: { prompt: `thing ${at}`, cwd: '/' } }),
		);
		await using record = await sampleRecord('runner-1', prompts);
		await using store = unwrap(await openPostgresHubStore({ url }));
		await using other = unwrap(await openPostgresHubStore({ url }));
		const log = await pair(store, 'runner-1');
		unwrap(await store.logs.take(sampleBatch(log, record.lines)));
		const timers: Timers = { after: (_, run) => realTimers.after(0, run) };
		const warnings: unknown[] = [];
		await using indexers = new AsyncDisposableStack();
		const all = [store, other].map(({ words }) => {
			const slow: HubWords = { ...words, next: (name) => words.next(name, 20) };
			return indexers.use(createIndexer({ words: slow, timers, log: (line) => warnings.push(line) }));
		});
		const runner = unwrap(await loadRunners({ store, ...loneNode() })).find('runner-1');
		if (!runner) throw new Error('not paired');
		for (const indexer of all) indexer.follow(runner);
		for (const part of [500, 1_500]) {
			await waitFor(async () => ((await store.words.state(log).then(unwrap)).indexed >= part ? true : undefined), {
				what: 'the index',
				everyMs: 5,
			});
			await server.kill();
			await server.start();
		}
		await Promise.all(all.map((indexer) => indexer.idle()));
		expect(unwrap(await store.words.state(log))).toEqual({ indexed: 3_000, last: 3_000 });
		const found = unwrap(await store.words.find(log, { words: 'thing', limit: 5_000 }));
		expect(found.map(({ seqNo }) => seqNo)).toEqual(Array.from({ length: 3_000 }, (_, at) => 3_000 - at));
		expect(warnings.length).toBeGreaterThan(0);
	});
});
