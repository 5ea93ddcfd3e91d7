// The record, read-only: for commands that run beside a runner.
import { existsSync } from 'node:fs';
import { resolveHome } from '@roost/home/home';
import { AppError } from '@roost/protocol/app-error';
import type { TokenUsage } from '@roost/protocol/feed/conversation';
import { type SessionId, sessionStream } from '@roost/protocol/ids';
import type { LogEntry } from '@roost/protocol/log-entry';
import { err, ok, type Result } from '@roost/protocol/result';
import type { SessionRow } from '@roost/protocol/session-row';
import { storedLine } from '@roost/protocol/stored-line';
import { createMemoryStore } from '@roost/store/memory-store';
import { openSqliteStore } from '@roost/store/sqlite-store';
import type { Store } from '@roost/store/store';
import { readPages } from './rebuild.ts';

const PAGE = 1_000;

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
	if (!rows.ok) return rows;
	const exact = rows.value.find((row) => row.id === given);
	if (exact) return ok(exact);
	const fitting = rows.value.filter((row) => row.id.startsWith(given));
	const [only] = fitting;
	if (only && fitting.length === 1) return ok(only);
	const problem = only
		? `"${given}" matches ${fitting.length} sessions. Give more of the ID.`
		: `Session "${given}" not found. Run "roost sessions --all" to list sessions.`;
	return err(new AppError('not_found', problem));
}

export function readStream(store: Store, id: SessionId, after: number): Generator<Result<LogEntry[]>> {
	return readPages(store, sessionStream(id), after);
}

/** How far back to search: agents report their usage with every response. */
const MOST_PAGES = 20;

export function readLastUsage(store: Store, { id, events }: SessionRow): Result<TokenUsage | null> {
	for (let end = events, pages = 0; end > 0 && pages < MOST_PAGES; end -= PAGE, pages++) {
		const after = Math.max(0, end - PAGE);
		const page = store.read({ stream: sessionStream(id), after, limit: end - after });
		if (!page.ok) return page;
		const last = page.value.findLast(({ line }) => line.includes('"usage.update"') && usageOf(line));
		if (last) return ok(usageOf(last.line));
	}
	return ok(null);
}

/** Launch notices are among the first events of a session. */
const MOST_STARTING = 100;

export function readLaunchNotices(store: Store, { id }: SessionRow): Result<string[]> {
	const page = store.read({ stream: sessionStream(id), after: 0, limit: MOST_STARTING });
	if (!page.ok) return page;
	const lines = page.value.filter(({ line }) => line.includes('"launch_notice"'));
	return ok(lines.flatMap(({ line }) => noticeOf(line)));
}

function noticeOf(line: string): string[] {
	const { event } = storedLine.parse(JSON.parse(line));
	return event.kind === 'notification' && event.data.notification_type === 'launch_notice' ? [event.data.message] : [];
}

function usageOf(line: string): TokenUsage | null {
	const { event } = storedLine.parse(JSON.parse(line));
	return event.kind === 'usage.update' ? event.data.total : null;
}
