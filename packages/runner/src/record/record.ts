// The record, for reading: what the commands that only look need, while somebody else may be writing.
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

const PAGE = 1_000;

export function openRecord(env: NodeJS.ProcessEnv): Result<Store> {
	const home = resolveHome(env);
	if (!home.ok) return home;
	// Before the first session there is no database, and an empty record is the truth.
	if (!existsSync(home.value.database)) return ok(createMemoryStore());
	return openSqliteStore({ path: home.value.database, access: 'read' });
}

/** By id, or by the beginning of one where only one fits. */
export function findSession(store: Store, given: string): Result<SessionRow> {
	const rows = store.sessions();
	if (!rows.ok) return rows;
	const exact = rows.value.find((row) => row.id === given);
	if (exact) return ok(exact);
	const fitting = rows.value.filter((row) => row.id.startsWith(given));
	const [only] = fitting;
	if (only && fitting.length === 1) return ok(only);
	const problem = only
		? `${fitting.length} sessions begin with "${given}": give more of the id.`
		: `There is no session "${given}": run "roost sessions --all" to see them.`;
	return err(new AppError('not_found', problem));
}

/** A session's stored lines, a page at a time. */
export function* readStream(store: Store, id: SessionId, after: number): Generator<Result<LogEntry[]>> {
	for (let from = after; ; ) {
		const page = store.read({ stream: sessionStream(id), after: from, limit: PAGE });
		yield page;
		const last = page.ok ? page.value.at(-1) : undefined;
		if (!last) return;
		from = last.offset;
	}
}

/** How far back it is looked for: agents report what they used with every answer. */
const MOST_PAGES = 20;

/** What a session used so far, as last reported; null where nothing was. */
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

/** How far from its beginning a session says how it was started. */
const MOST_STARTING = 100;

/** What Roost added to the start of its agent. */
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
