// Stores the redacted results of a session's inputs, one batch at a time; keeps them in memory while the disk fails.
import { isTransient } from '@roost/core/feed/filter';
import { AppError } from '@roost/protocol/app-error';
import type { AskRow } from '@roost/protocol/ask';
import type { FeedEvent } from '@roost/protocol/feed/event';
import type { AskId } from '@roost/protocol/ids';
import type { LogEntry } from '@roost/protocol/log-entry';
import type { SessionRow } from '@roost/protocol/session-row';
import type { AppendRequest, Receipt, Store } from '@roost/store/store';

export type Commit = {
	/** Returns what may be published, and whether it is on disk. */
	save(outcome: Outcome): Promise<Saved>;
};

export type Outcome = {
	events: readonly FeedEvent[];
	asks: readonly AskRow[];
	/** Of the commands that caused these events. */
	receipts: readonly Receipt[];
	/** The session's row once these events are folded. */
	row: (visible: readonly FeedEvent[]) => SessionRow;
};

export type Saved = {
	visible: FeedEvent[];
	asks: AskRow[];
	entries: LogEntry[];
	/** Events that could be neither stored nor kept. */
	lost: number;
	error?: AppError;
};

type Place = Pick<AppendRequest, 'stream' | 'sessionId' | 'projectId' | 'runnerId'>;

/** Limit of unsaved events while the disk fails; beyond it the oldest are lost. */
const MAX_UNSAVED = 10_000;

export function createCommit(deps: { store: Store; place: Place; now: () => number }): Commit {
	let unsaved: FeedEvent[] = [];
	let unsavedAsks = new Map<AskId, AskRow>();

	return {
		async save(outcome) {
			const asks = [...outcome.asks];
			const visible = [...outcome.events];
			const events = [...unsaved, ...visible.filter((event) => !isTransient(event))];
			const rows = new Map([...unsavedAsks, ...asks.map((row) => [row.id, row] as const)]);
			const { receipts } = outcome;
			if (events.length === 0 && rows.size === 0 && receipts.length === 0) return { visible, asks, entries: [], lost: 0 };
			const append = {
				...deps.place,
				receivedAt: deps.now(),
				events,
				asks: [...rows.values()],
				receipts,
				session: outcome.row(visible),
			};
			let receipt: Awaited<ReturnType<Store['append']>>;
			try {
				receipt = await deps.store.append(append);
			} catch (cause) {
				// It cannot be serialised and would fail with every later batch, so only earlier unsaved events are kept.
				const error = new AppError('store_unavailable', 'The events of a session could not be serialised.', { cause });
				return { visible, asks, entries: [], lost: events.length - unsaved.length, error };
			}
			unsaved = receipt.ok ? [] : events.slice(-MAX_UNSAVED);
			unsavedAsks = receipt.ok ? new Map() : rows;
			if (receipt.ok) return { visible, asks, entries: receipt.value.entries, lost: 0 };
			return { visible, asks, entries: [], lost: events.length - unsaved.length, error: receipt.error };
		},
	};
}
