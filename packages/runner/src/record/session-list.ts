// The list of sessions: pages of it for the API, and the rows of the live list.
import { isAbsolute } from 'node:path';
import type { SessionRows } from '@roost/gateway/operations/backend';
import { AppError } from '@roost/protocol/app-error';
import type { Contract } from '@roost/protocol/contract/contract';
import type { HandlerInput } from '@roost/protocol/contract/operation';
import { projectId } from '@roost/protocol/ids';
import { err, ok, type Result } from '@roost/protocol/result';
import type { SessionRow } from '@roost/protocol/session-row';
import type { SessionsQuery, Store } from '@roost/store/store';

type ListQuery = HandlerInput<Contract['record']['sessions']>;

export function listSessions(
	store: Pick<Store, 'sessions'>,
	{ projectId: named, cursor: after, ...query }: ListQuery,
): Result<SessionRow[]> {
	if (after !== undefined) {
		const last = store.sessions({ id: after });
		if (!last.ok) return last;
		if (last.value.length === 0)
			return err(new AppError('bad_request', 'query.cursor: session not found. Send the id of the last session of a page.'));
	}
	return store.sessions({ ...query, ...toProject(named), after });
}

function toProject(named: string | undefined): SessionsQuery {
	if (named === undefined) return {};
	return isAbsolute(named) ? { projectPath: named } : { projectId: projectId.parse(named) };
}

export function createSessionRows(store: Pick<Store, 'sessions'>): SessionRows {
	return {
		page: (query) => store.sessions({ ...query, archived: false }),
		of(ids) {
			const rows: SessionRow[] = [];
			for (const id of ids) {
				const found = store.sessions({ id });
				if (!found.ok) return found;
				rows.push(...found.value);
			}
			return ok(rows);
		},
	};
}
