// Rebuilds a session from its log: the same folds that ran when it was live.
import { createSessionState, evolveSession, type SessionState } from '@roost/core/session/state';
import { createSessionView, foldSessionView, type SessionView } from '@roost/core/views/session-view';
import { AppError } from '@roost/protocol/app-error';
import type { SessionId, StreamId } from '@roost/protocol/ids';
import { err, ok, type Result } from '@roost/protocol/result';
import { storedLine } from '@roost/protocol/stored-line';
import type { Store } from '@roost/store/store';

export type Rebuilt = { state: SessionState; view: SessionView };

const PAGE = 1_000;

export function rebuild(store: Store, sessionId: SessionId, stream: StreamId): Result<Rebuilt> {
	const rebuilt: Rebuilt = { state: createSessionState(sessionId), view: createSessionView(sessionId) };
	for (let after = 0; ; ) {
		const page = store.read({ stream, after, limit: PAGE });
		if (!page.ok) return page;
		for (const entry of page.value) {
			const parsed = storedLine.safeParse(JSON.parse(entry.line));
			if (!parsed.success) {
				return err(
					new AppError(
						'corrupt',
						`Event ${entry.offset} of session ${sessionId} cannot be read: run "roost verify ${sessionId}".`,
					),
				);
			}
			evolveSession(rebuilt.state, parsed.data.event);
			foldSessionView(rebuilt.view, parsed.data.event);
			after = entry.offset;
		}
		if (page.value.length < PAGE) return ok(rebuilt);
	}
}
