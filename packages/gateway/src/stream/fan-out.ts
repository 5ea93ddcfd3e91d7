// Sends each update of the backend to every client of the stream; the backend never waits for them.
import type { SessionId } from '@roost/protocol/ids';
import type { Result } from '@roost/protocol/result';
import type { SessionTile } from '@roost/protocol/session-row';
import type { Backend } from '../operations/backend.ts';
import { type After, afterMs, createChangedSessions } from './changed-sessions.ts';
import type { Connection } from './connection.ts';
import { toChangedSessions, toLive, toLiveRows } from './live.ts';

export type FanOut = Disposable & {
	/** Greets a client and sends it every update. Returns the unsubscribe function. */
	add(connection: Connection): () => void;
};

export function createFanOut(
	backend: Pick<Backend, 'runner' | 'log' | 'sessionRows' | 'onUpdate'>,
	after: After = afterMs,
): FanOut {
	const connections = new Set<Connection>();
	const changed = createChangedSessions({ report: reportRows, after });
	const stop = backend.onUpdate((update) => {
		if (connections.size === 0) return;
		if (update.isRestored) {
			for (const connection of connections) connection.leave('the record of this runner was restored');
			return;
		}
		const live = toLive(update, backend.runner.id);
		for (const connection of connections) connection.push(live);
		if (hasRowReaders()) changed.note(toChangedSessions(update.entries, backend.runner.id));
	});

	function hasRowReaders(): boolean {
		return connections.values().some((connection) => connection.readsRows());
	}

	function reportRows(ids: readonly SessionId[]): boolean | Promise<boolean> {
		const rows = backend.sessionRows.of(ids);
		return rows instanceof Promise ? rows.then(pushRows) : pushRows(rows);
	}

	function pushRows(rows: Result<SessionTile[]>): boolean {
		if (!rows.ok) return false;
		const live = toLiveRows(rows.value);
		for (const connection of connections) connection.pushRows(live);
		return true;
	}

	return {
		add(connection) {
			connection.greet();
			connections.add(connection);
			return () => connections.delete(connection);
		},
		[Symbol.dispose]() {
			stop();
			changed[Symbol.dispose]();
		},
	};
}
