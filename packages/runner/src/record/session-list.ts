// The list of sessions: pages of it for the API, and the rows of the live list.
import { isAbsolute } from 'node:path';
import { lastTitle } from '@roost/core/views/last-title';
import type { SessionRows } from '@roost/gateway/operations/backend';
import { AppError } from '@roost/protocol/app-error';
import type { Contract } from '@roost/protocol/contract/contract';
import type { HandlerInput } from '@roost/protocol/contract/operation';
import { projectId, sessionStream } from '@roost/protocol/ids';
import { err, ok, type Result } from '@roost/protocol/result';
import type { SessionRow, SessionTile } from '@roost/protocol/session-row';
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

function readLastTitle(store: Pick<Store, 'read'>, row: SessionRow): string | undefined {
	const { id, lastEvent } = row;
	if (!lastEvent) return undefined;
	const found = store.read({ stream: sessionStream(id), after: lastEvent.offset - 1, limit: 1 });
	return found.ok ? lastTitle(row, found.value[0]?.line) : undefined;
}
