// Followers of the list of sessions: one subscription for all of them, sent again on every connection.
import type { ClientFrame } from '@roost/protocol/api/stream-frames';
import type { SessionTile } from '@roost/protocol/session-row';
import type { Guard } from './listeners.ts';

export type RowHandlers = {
	/** A current row, then every change; the same row may be repeated. */
	onRow(row: SessionTile): void;
	/** All current rows were delivered: after the start, and again after each reconnect. */
	onCaughtUp?(): void;
};

/** Most current rows, newest first; all of them without a limit. */
export type RowQuery = { limit?: number };

export type RowFollowing = {
	/** Returns the function that ends it. */
	follow(query: RowQuery, handlers: RowHandlers): () => void;
	/** On a new connection. */
	resume(): void;
	take(row: SessionTile): void;
	caughtUp(sub: string): void;
};

const SUB = 'sessions';

export function createRowFollowing({ send, guard }: { send(frame: ClientFrame): void; guard: Guard }): RowFollowing {
	const followers = new Set<RowQuery & { handlers: RowHandlers }>();

	function subscribe(): void {
		const limits = [...followers].map(({ limit }) => limit ?? Number.POSITIVE_INFINITY);
		const limit = Math.max(...limits);
		send({ type: 'subscribe-sessions', sub: SUB, ...(Number.isFinite(limit) ? { limit } : {}) });
	}

	function each(action: (handlers: RowHandlers) => void): void {
		for (const follower of [...followers]) if (followers.has(follower)) guard(() => action(follower.handlers));
	}

	return {
		follow(query, handlers) {
			const follower = { ...query, handlers };
			followers.add(follower);
			// Starts again, so that the new follower gets the current rows too.
			subscribe();
			return () => {
				if (followers.delete(follower) && followers.size === 0) send({ type: 'unsubscribe', sub: SUB });
			};
		},
		resume() {
			if (followers.size > 0) subscribe();
		},
		take: (row) => each(({ onRow }) => onRow(row)),
		caughtUp(sub) {
			if (sub === SUB) each(({ onCaughtUp }) => onCaughtUp?.());
		},
	};
}
