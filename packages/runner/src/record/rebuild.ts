// Rebuilds a session from its log with the same folds as live.
import { createSessionState, evolveSession, type SessionState } from '@roost/core/session/state';
import { createSessionView, foldSessionView, type SessionView } from '@roost/core/views/session-view';
import { AppError } from '@roost/protocol/app-error';
import type { FeedEvent } from '@roost/protocol/feed/event';
import type { SessionId, StreamId } from '@roost/protocol/ids';
import type { LogEntry } from '@roost/protocol/log-entry';
import { err, ok, type Result } from '@roost/protocol/result';
import { storedLine } from '@roost/protocol/stored-line';
import type { Store } from '@roost/store/store';

export type Rebuilt = { state: SessionState; view: SessionView };

const PAGE = 1_000;

export function rebuild(store: Store, sessionId: SessionId, stream: StreamId): Result<Rebuilt> {
	const rebuilt: Rebuilt = { state: createSessionState(sessionId), view: createSessionView(sessionId) };
	const read = readEvents(store, stream, (event) => {
		evolveSession(rebuilt.state, event);
		foldSessionView(rebuilt.view, event);
	});
	return read.ok ? ok(rebuilt) : read;
}

export function readEvents(store: Pick<Store, 'read'>, stream: StreamId, use: (event: FeedEvent) => void): Result<void> {
	for (const page of readPages(store, stream, 0)) {
		if (!page.ok) return page;
		for (const { line, offset } of page.value) {
			const parsed = storedLine.safeParse(JSON.parse(line));
			if (!parsed.success)
				return err(new AppError('corrupt', `Event ${offset} of ${stream} cannot be read. Run "roost verify".`));
			use(parsed.data.event);
		}
		if (page.value.length < PAGE) break;
	}
	return ok(undefined);
}

/** The stored lines of a stream, a page at a time. */
export function* readPages(
	store: Pick<Store, 'read'>,
	stream: StreamId,
	after: number,
	limit = PAGE,
): Generator<Result<LogEntry[]>> {
	for (let from = after; ; ) {
		const page = store.read({ stream, after: from, limit });
		yield page;
		const last = page.ok ? page.value.at(-1) : undefined;
		if (!last) return;
		from = last.offset;
	}
}
