// Hands what was just stored to every client that listens; the backend never waits for any of them.
import type { Backend } from '../operations/backend.ts';
import type { Connection } from './connection.ts';
import { toLive } from './live.ts';

export type FanOut = Disposable & {
	/** Greets a client and tells it what follows. Returns the function that ends it. */
	add(connection: Connection): () => void;
};

export function createFanOut(backend: Backend): FanOut {
	const connections = new Set<Connection>();
	const stop = backend.onUpdate((told) => {
		if (connections.size === 0) return;
		const live = toLive(told, backend.runner.id);
		for (const connection of connections) connection.tell(live);
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
