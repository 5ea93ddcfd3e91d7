// The record, read-only: for commands that run beside a runner.
import { existsSync } from 'node:fs';
import { pickSession } from '@roost/core/views/pick-session';
import { resolveHome } from '@roost/home/home';
import { type SessionId, sessionStream } from '@roost/protocol/ids';
import type { LogEntry } from '@roost/protocol/log-entry';
import { ok, type Result } from '@roost/protocol/result';
import type { SessionRow } from '@roost/protocol/session-row';
import { createMemoryStore } from '@roost/store/memory-store';
import { openSqliteStore } from '@roost/store/sqlite-store';
import type { Store } from '@roost/store/store';
import { readPages } from './rebuild.ts';

export function openRecord(env: NodeJS.ProcessEnv): Result<Store> {
	const home = resolveHome(env);
	if (!home.ok) return home;
	// Without a database the record is empty.
	if (!existsSync(home.value.database)) return ok(createMemoryStore());
	return openSqliteStore({ path: home.value.database, access: 'read' });
}

/** By ID, or by a unique prefix. */
export function findSession(store: Store, given: string): Result<SessionRow> {
	const rows = store.sessions();
	return rows.ok ? pickSession(rows.value, given) : rows;
}

export function readStream(store: Store, id: SessionId, after: number): Generator<Result<LogEntry[]>> {
	return readPages(store, sessionStream(id), after);
}
