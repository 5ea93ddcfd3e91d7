// Puts a session's events on disk: redacted first, all of a batch at once, and kept for later when the disk says no.
import { isTransient } from '@roost/core/feed/filter';
import type { Redactor } from '@roost/core/redaction/redact';
import type { AppError } from '@roost/protocol/app-error';
import type { FeedEvent } from '@roost/protocol/feed/event';
import type { LogEntry } from '@roost/protocol/log-entry';
import type { SessionRow } from '@roost/protocol/session-row';
import type { AppendRequest, Store } from '@roost/store/store';

export type Commit = {
	/** The events as everybody else may see them, and whether they are on disk. */
	save(events: readonly FeedEvent[], row: (visible: readonly FeedEvent[]) => SessionRow): Promise<Saved>;
	/** Events that are not on disk yet. */
	unsaved(): number;
};

export type Saved = { visible: FeedEvent[]; entries: LogEntry[]; error?: AppError };

type Place = Pick<AppendRequest, 'stream' | 'sessionId' | 'projectId' | 'runnerId'>;

/** How much a session remembers while its disk is broken; beyond it the oldest are lost, and that is counted. */
const MAX_UNSAVED = 10_000;

export function createCommit(deps: { store: Store; redactor: Redactor; place: Place; now: () => number }): Commit {
	let backlog: FeedEvent[] = [];

	return {
		async save(events, row) {
			const visible = events.map((event) => deps.redactor.redact(event).value);
			const lasting = [...backlog, ...visible.filter((event) => !isTransient(event))];
			if (lasting.length === 0) return { visible, entries: [] };
			const receipt = await deps.store.append({
				...deps.place,
				receivedAt: deps.now(),
				events: lasting,
				session: row(visible),
			});
			backlog = receipt.ok ? [] : lasting.slice(-MAX_UNSAVED);
			return receipt.ok ? { visible, entries: receipt.value.entries } : { visible, entries: [], error: receipt.error };
		},
		unsaved: () => backlog.length,
	};
}
