// Views of sessions: from memory where the session is live, else folded from the log, once and then from where it ended.
import { createSessionView, foldSessionView, type SessionView } from '@roost/core/views/session-view';
import { type SessionId, sessionStream } from '@roost/protocol/ids';
import { ok, type Result } from '@roost/protocol/result';
import type { Backend } from '../operations/backend.ts';
import { readLines } from './read-lines.ts';

/** Of at least `head` events. */
export type ReadView = (id: SessionId, head: number) => Promise<Result<SessionView>>;

/** Folded views that are kept. */
const MOST_KEPT = 8;

export function createViewReader({ log, liveView }: Pick<Backend, 'log' | 'liveView'>): ReadView {
	/** Least recently used first; each is the last fold, which the next one continues. */
	const kept = new Map<SessionId, Promise<Result<SessionView>>>();

	async function fold(
		before: Promise<Result<SessionView>> | undefined,
		id: SessionId,
		head: number,
	): Promise<Result<SessionView>> {
		const last = await before;
		// A copy, because the last one may be on its way to a client.
		const view = last?.ok ? structuredClone(last.value) : createSessionView(id);
		const range = { first: view.summary.events + 1, last: head };
		for await (const chunk of readLines({ log, stream: sessionStream(id), range })) {
			if (!chunk.ok) return chunk;
			for (const { line } of chunk.value) foldSessionView(view, line.event);
		}
		return ok(view);
	}

	function keep(id: SessionId, folding: Promise<Result<SessionView>>): void {
		kept.delete(id);
		kept.set(id, folding);
		for (const oldest of kept.keys()) if (kept.size > MOST_KEPT) kept.delete(oldest);
	}

	return async (id, head) => {
		const live = await liveView(id);
		if (live) return ok(live);
		const folding = fold(kept.get(id), id, head);
		keep(id, folding);
		return await folding;
	};
}
