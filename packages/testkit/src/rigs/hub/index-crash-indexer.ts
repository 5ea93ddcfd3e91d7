// A hub's indexer as a process for the crash tests: prints how far the index is after each slice, until it is done or killed.
import { writeSync } from 'node:fs';
import { loadRunners } from '@roost/hub/runners/known-runners';
import { createIndexer } from '@roost/hub/search/indexer';
import type { HubWords } from '@roost/hub/store/hub-store';
import { openSqliteHubStore } from '@roost/hub/store/sqlite-hub-store';
import { realTimers } from '@roost/machine/timers';
import { unwrap } from '../unwrap.ts';
import { loneNode } from './lone-node.ts';

async function index(path: string, slice: number): Promise<void> {
	await using store = unwrap(openSqliteHubStore({ path }));
	const words: HubWords = {
		...store.words,
		next: (log) => store.words.next(log, slice),
		async add(log, indexed) {
			const added = await store.words.add(log, indexed);
			writeSync(1, `${indexed.upTo}\n`);
			return added;
		},
	};
	const timers = { after: (_: number, run: () => void) => realTimers.after(0, run) };
	await using indexer = createIndexer({ words, timers, log: ({ why }) => writeSync(2, `${why}\n`) });
	for (const runner of unwrap(await loadRunners({ store, ...loneNode() })).list()) indexer.follow(runner);
	await indexer.idle();
}

const [, , path, slice] = process.argv;
if (path !== undefined) await index(path, Number(slice));
