// What both the writer and a reader of the file can be asked.
import type { DatabaseSync } from 'node:sqlite';
import { err, type Result } from '@roost/protocol/result';
import { createLogReader } from './log-reader.ts';
import { createLogSearch } from './log-search.ts';
import { closedStore, queryFault } from './refusals.ts';
import { createSessionTable } from './session-table.ts';
import type { Store } from './store.ts';
import { attempt } from './store-error.ts';
import { verifyLog } from './verify.ts';

type Deps = { db: DatabaseSync; path: string; headsPath: string };

export function createSqliteViews({ db, path, headsPath }: Deps): Pick<Store, 'read' | 'sessions' | 'search' | 'verify'> {
	const log = createLogReader(db);
	const table = createSessionTable(db);
	const index = createLogSearch(db);

	function ask<T>(action: () => T): Result<T> {
		return db.isOpen ? attempt(path, action) : err(closedStore());
	}

	return {
		read: (query) => queryFault(query) ?? ask(() => log.read(query)),
		sessions: (query = {}) => ask(() => table.find(query)),
		search: (query) => queryFault(query) ?? ask(() => index.find(query)),
		verify: (stream) => ask(() => verifyLog(db, headsPath, stream)),
	};
}
