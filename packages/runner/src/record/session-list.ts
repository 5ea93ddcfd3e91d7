// The list of sessions: pages of it for the API, and the rows of the live list.
import { isAbsolute } from 'node:path';
import { parseJson } from '@roost/core/display/parse-json';
import { eventTitle } from '@roost/core/feed/title';
import type { SessionRows } from '@roost/gateway/operations/backend';
import { AppError } from '@roost/protocol/app-error';
import type { Contract } from '@roost/protocol/contract/contract';
import type { HandlerInput } from '@roost/protocol/contract/operation';
import { projectId, sessionStream } from '@roost/protocol/ids';
import { err, ok, type Result } from '@roost/protocol/result';
import type { SessionRow, SessionTile } from '@roost/protocol/session-row';
import { storedLine } from '@roost/protocol/stored-line';
import type { SessionsQuery, Store } from '@roost/store/store';

type ListQuery = HandlerInput<Contract['record']['sessions']>;

export function listSessions(
	store: Pick<Store, 'sessions' | 'read'>,
	{ projectId: named, cursor: after, ...query }: ListQuery,
): Result<SessionTile[]> {
	if (after !== undefined) {
		const last = store.sessions({ id: after });
		if (!last.ok) return last;
		if (last.value.length === 0)
			return err(new AppError('bad_request', 'query.cursor: session not found. Send the id of the last session of a page.'));
	}
	const rows = store.sessions({ ...query, ...toProject(named), after });
	// A title is a read of the log: too much for a list without a limit.
	return query.limit === undefined ? rows : withTitles(store, rows);
}

function toProject(named: string | undefined): SessionsQuery {
	if (named === undefined) return {};
	return isAbsolute(named) ? { projectPath: named } : { projectId: projectId.parse(named) };
}

export function createSessionRows(store: Pick<Store, 'sessions' | 'read'>): SessionRows {
	return {
		page: (query) => withTitles(store, store.sessions({ ...query, archived: false })),
		of(ids) {
			const rows: SessionRow[] = [];
			for (const id of ids) {
				const found = store.sessions({ id });
				if (!found.ok) return found;
				rows.push(...found.value);
			}
			return withTitles(store, ok(rows));
		},
	};
}

function withTitles(store: Pick<Store, 'read'>, rows: Result<SessionRow[]>): Result<SessionTile[]> {
	return rows.ok ? ok(rows.value.map((row) => ({ ...row, lastTitle: readLastTitle(store, row) }))) : rows;
}

/** Undefined where the event is not at its place: events are lost while the disk fails for long. */
function readLastTitle(store: Pick<Store, 'read'>, { id, lastEvent }: SessionRow): string | undefined {
	if (!lastEvent) return undefined;
	const found = store.read({ stream: sessionStream(id), after: lastEvent.offset - 1, limit: 1 });
	const line = found.ok ? found.value[0]?.line : undefined;
	const stored = line === undefined ? undefined : storedLine.safeParse(parseJson(line)).data;
	return stored?.event.kind === lastEvent.kind ? eventTitle(stored.event) : undefined;
}
