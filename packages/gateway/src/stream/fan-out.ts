// Sends each update of the backend to every client of the stream; the backend never waits for them.
import type { Backend } from '../operations/backend.ts';
import type { Connection } from './connection.ts';
import { toLive } from './live.ts';

export type FanOut = Disposable & {
	/** Greets a client and sends it every update. Returns the unsubscribe function. */
	add(connection: Connection): () => void;
};

export function createFanOut(backend: Backend): FanOut {
	const connections = new Set<Connection>();
	const stop = backend.onUpdate((update) => {
		if (connections.size === 0) return;
		const live = toLive(update, backend.runner.id);
		for (const connection of connections) connection.push(live);
	});
	return {
		add(connection) {
			connection.greet();
			connections.add(connection);
			return () => connections.delete(connection);
		},
		[Symbol.dispose]: stop,
	};
}
