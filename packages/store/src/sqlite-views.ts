// The queries that both the writer and a reader of the file answer.
import type { DatabaseSync } from 'node:sqlite';
import { err, type Result } from '@roost/protocol/result';
import { readAnchor } from './anchor.ts';
import { createAskTable } from './ask-table.ts';
import { createEpochTable } from './epoch-table.ts';
import type { HeadsSource } from './heads-file.ts';
import { createHashReader, createLastOffset, createLogReader } from './log-reader.ts';
import { createLogSearch } from './log-search.ts';
import { createOutboxTable } from './outbox-table.ts';
import { lastPosition, toPosition } from './position.ts';
import { createProjectTable } from './project-table.ts';
import { createQueueTable } from './queue-table.ts';
import { createReceiptTable } from './receipt-table.ts';
import { closedStore, queryFault } from './refusals.ts';
import { numberOf } from './row-values.ts';
import { createRuleTable, readCheckedRules } from './rule-table.ts';
import { createSessionTable } from './session-table.ts';
import type { ChangedRows, ChangesQuery, Outbox, Store } from './store.ts';
import { attempt } from './store-error.ts';
import { inTransaction } from './transaction.ts';
import { createUsageTable } from './usage-table.ts';
import { verifyLog } from './verify.ts';
import { verifyTables } from './verify-tables.ts';

type Deps = { db: DatabaseSync; path: string; heads: HeadsSource };
type Views = Omit<Store, 'append' | 'openEpoch' | 'outbox' | 'close' | typeof Symbol.asyncDispose> & {
	outbox: Omit<Outbox, 'markFlushed'>;
};

export function createSqliteViews({ db, path, heads }: Deps): Views {
	const readLog = createLogReader(db);
	const lastOffset = createLastOffset(db);
	const hashAt = createHashReader(db);
	const sessions = createSessionTable(db);
	const projects = createProjectTable(db);
	const asks = createAskTable(db);
	const rules = createRuleTable(db);
	const receipts = createReceiptTable(db);
	const index = createLogSearch(db);
	const usage = createUsageTable(db);
	const queues = createQueueTable(db);
	const outbox = createOutboxTable(db);
	const epochs = createEpochTable(db);

	function whileOpen<T>(action: () => T): Result<T> {
		return db.isOpen ? attempt(path, action) : err(closedStore());
	}

	const runnerNo = db.prepare('SELECT runner_no FROM runners WHERE runner = ?');

	function changed({ runnerId, after, upTo }: ChangesQuery): ChangedRows {
		const found = runnerNo.get(runnerId);
		if (found === undefined) return { sessions: [], asks: [], queues: [], usage: [] };
		const no = numberOf(found, 'runner_no');
		const between = [toPosition(no, after), Math.min(toPosition(no, upTo), lastPosition(no))] as const;
		return {
			sessions: sessions.changed(...between),
			asks: asks.changed(...between),
			queues: queues.changed(...between),
			usage: usage.changed(...between),
		};
	}

	return {
		read: (query) => queryFault(query) ?? whileOpen(() => readLog(query)),
		lastOffset: (stream) => whileOpen(() => lastOffset(stream)),
		hashAt: (stream, offset) => queryFault({ after: offset }) ?? whileOpen(() => hashAt(stream, offset)),
		sessions: (query = {}) => queryFault({ limit: query.limit }) ?? whileOpen(() => sessions.find(query)),
		projects: (query = {}) => whileOpen(() => projects.find(query)),
		asks: (query = {}) => queryFault(query) ?? whileOpen(() => asks.find(query)),
		rules: () => whileOpen(rules.all),
		receipt: (id) => whileOpen(() => receipts.find(id)),
		checkedRules: () => whileOpen(() => readCheckedRules(db, rules.all())),
		search: (query) => queryFault(query) ?? whileOpen(() => index.find(query)),
		searchLag: () => whileOpen(index.lag),
		usage: (query = {}) => whileOpen(() => usage.find(query)),
		rowsChanged: (query) =>
			queryFault({ after: query.after, limit: query.upTo }) ?? whileOpen(() => inTransaction(db, 'read', () => changed(query))),
		verify: (stream) => whileOpen(() => verifyLog(db, heads, stream)),
		verifyTables: () => whileOpen(() => verifyTables(db)),
		epoch: () => whileOpen(epochs.current),
		anchor: (counts) => whileOpen(() => readAnchor(db, counts)),
		outbox: {
			state: (runnerId) => whileOpen(() => outbox.state(runnerId)),
			readUnflushed: (query) => queryFault(query) ?? whileOpen(() => outbox.unflushed(query)),
		},
	};
}
