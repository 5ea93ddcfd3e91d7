// Records that an agent worked while no runner was up, and since when.

import type { SessionId } from '@roost/protocol/ids';
import { ok, type Result } from '@roost/protocol/result';
import type { Store } from '@roost/store/store';
import type { Origin } from '../engine/effects.ts';
import type { Engine } from '../engine/engine.ts';

/** A session of which nothing is on record, or that has ended, missed nothing. */
export function noteGap(deps: { engine: Engine; store: Store; now: () => number }, id: SessionId, origin: Origin): Result<void> {
	const rows = deps.store.sessions({ id });
	if (!rows.ok) return rows;
	for (const { status, projectId, projectPath, parentId, lastEventAt } of rows.value) {
		if (status === 'ended') continue;
		const session = deps.engine.open({ ...origin, id, project: { id: projectId, path: projectPath }, parentId });
		if (!session.ok) return session;
		const since = new Date(lastEventAt).toISOString();
		const reason = `the runner was away since ${since} at the earliest: what the agent did until now may be missing`;
		const fact = { kind: 'runtime.status', data: { status: 'gap', reason } } as const;
		session.value.post({ type: 'noted', fact, at: deps.now() }, origin);
	}
	return ok(undefined);
}
