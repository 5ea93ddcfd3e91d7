// The only writer of a record: appends in groups, and updates the heads and the search index after each.
import type { DatabaseSync } from 'node:sqlite';
import { err } from '@roost/protocol/result';
import { createAppendQueue } from './append-queue.ts';
import { createAskTable } from './ask-table.ts';
import { createEpochTable } from './epoch-table.ts';
import { createEventLog } from './event-log.ts';
import { createIdleIndexing } from './idle-indexing.ts';
import type { KeptHeads } from './keep-heads.ts';
import { createLogSearch } from './log-search.ts';
import { createOutboxTable } from './outbox-table.ts';
import { type PreparedAppend, prepareAppend } from './prepared-append.ts';
import { createProjectTable } from './project-table.ts';
import { createQueueTable } from './queue-table.ts';
import { createReceiptTable } from './receipt-table.ts';
import { closedStore } from './refusals.ts';
import { createRuleTable } from './rule-table.ts';
import { createSessionTable } from './session-table.ts';
import { createSqliteViews } from './sqlite-views.ts';
import type { Store } from './store.ts';
import { attempt } from './store-error.ts';
import { createUsageTable } from './usage-table.ts';

type Deps = { db: DatabaseSync; path: string; heads: KeptHeads; onClosed: () => void };

export function createSqliteWriter({ db, path, heads, onClosed }: Deps): Store {
	const index = createLogSearch(db);
	const tables = {
		sessions: createSessionTable(db),
		projects: createProjectTable(db),
		asks: createAskTable(db),
		rules: createRuleTable(db),
		usage: createUsageTable(db),
		queues: createQueueTable(db),
		receipts: createReceiptTable(db),
	};
	const log = createEventLog({ db, path, tables, onCommit: heads.record });
	const queue = createAppendQueue((group: readonly PreparedAppend[]) => {
		const results = log.commit(group);
		indexing.nudge();
		return results;
	});
	const indexing = createIdleIndexing(index, queue.isIdle);
	const views = createSqliteViews({ db, path, heads });
	const outbox = createOutboxTable(db);
	const epochs = createEpochTable(db);
	indexing.nudge();

	async function close(): Promise<void> {
		if (!db.isOpen) return;
		queue.flush();
		indexing.finish();
		heads.close();
		db.close();
		onClosed();
	}

	return {
		...views,
		async append(request) {
			if (!db.isOpen) return err(closedStore());
			const prepared = prepareAppend(request);
			return prepared.ok ? queue.add(prepared.value) : prepared;
		},
		search(query) {
			if (db.isOpen && query.unindexed === undefined) indexing.catchUp();
			return views.search(query);
		},
		async openEpoch(why, at, known) {
			return db.isOpen ? attempt(path, () => epochs.open(why, at, known)) : err(closedStore());
		},
		outbox: {
			...views.outbox,
			async markFlushed(upTo) {
				if (!db.isOpen) return err(closedStore());
				const marked = attempt(path, () => outbox.mark(upTo));
				return marked.ok ? marked.value : marked;
			},
		},
		close,
		[Symbol.asyncDispose]: close,
	};
}
