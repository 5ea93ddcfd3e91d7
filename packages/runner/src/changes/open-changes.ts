// Changes and reviews of all sessions. Wiring only.
import { join } from 'node:path';
import type { Backend } from '@roost/gateway/operations/backend';
import type { Home } from '@roost/home/home';
import { realTimers } from '@roost/machine/timers';
import { AppError } from '@roost/protocol/app-error';
import type { SessionId } from '@roost/protocol/ids';
import { err, ok, type Result } from '@roost/protocol/result';
import type { SessionRow } from '@roost/protocol/session-row';
import type { Store } from '@roost/store/store';
import type { DrivenSessions } from '../driven/driven-sessions.ts';
import type { Engine } from '../engine/engine.ts';
import { createSessionChanges } from './changes.ts';
import { createRunMarker } from './mark-runs.ts';
import { createSendReview } from './review.ts';
import { createSessionMarks } from './session-marks.ts';

export type OpenChanges = AsyncDisposable & { readonly handlers: Backend['changes'] };

export function openChanges(deps: {
	home: Pick<Home, 'data'>;
	engine: Pick<Engine, 'onUpdate'>;
	store: Pick<Store, 'sessions'>;
	driving: Pick<DrivenSessions, 'message' | 'describe'>;
	onChanged: (id: SessionId) => void;
	warn: (sentence: string) => void;
}): OpenChanges {
	const { store, driving, warn } = deps;
	const sessionOf = (id: SessionId): Result<SessionRow> => {
		const rows = store.sessions({ id });
		if (!rows.ok) return rows;
		const [row] = rows.value;
		return row ? ok(row) : err(new AppError('not_found', 'Session not found. GET /api/v1/sessions lists sessions.'));
	};
	const marks = createSessionMarks(join(deps.home.data, 'changes'));
	marks.prune(Date.now());
	const changes = createSessionChanges({ marks, sessionOf, now: Date.now, warn });
	const marker = createRunMarker({ mark: changes.mark, changed: deps.onChanged, timers: realTimers, warn });
	const stop = deps.engine.onUpdate(marker.observe);
	const review = createSendReview({
		changes,
		whyNot(id) {
			const row = sessionOf(id);
			if (!row.ok) return row;
			const described = driving.describe(row.value);
			return ok(described.takesPrompts ? undefined : described.why);
		},
		send: driving.message,
	});
	return {
		handlers: {
			list: ({ id, since }) => changes.list(id, since),
			file: ({ id, ...query }) => changes.file(id, query),
			review: ({ id, ...body }) => review(id, body),
		},
		async [Symbol.asyncDispose]() {
			stop();
			await marker[Symbol.asyncDispose]();
		},
	};
}
