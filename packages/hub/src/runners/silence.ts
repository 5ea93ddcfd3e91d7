// Ends connections that are silent, with one timer for all of them: a runner that froze or lost its network looks connected.
import type { WebSocket } from 'ws';

export type Silence = Disposable & {
	/** `ping` asks for a sign of life. */
	add(socket: WebSocket, ping: () => void): void;
	heard(socket: WebSocket): void;
	remove(socket: WebSocket): void;
};

const MOST_SILENT = 2;

export function createSilence(intervalMs: number): Silence {
	const silent = new Map<WebSocket, { intervals: number; ping: () => void }>();
	const timer = setInterval(() => {
		for (const [socket, one] of silent) {
			if (one.intervals >= MOST_SILENT) {
				socket.terminate();
				continue;
			}
			one.intervals += 1;
			one.ping();
		}
	}, intervalMs).unref();

	return {
		add: (socket, ping) => void silent.set(socket, { intervals: 0, ping }),
		heard(socket) {
			const one = silent.get(socket);
			if (one) one.intervals = 0;
		},
		remove: (socket) => void silent.delete(socket),
		[Symbol.dispose]: () => clearInterval(timer),
	};
}
