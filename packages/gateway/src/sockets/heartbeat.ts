// Pings every client; one that has not answered within two intervals is gone, whatever its connection says.
export type Beating = { ping(): void; cut(): void };

export type Heartbeat = Disposable & {
	add(client: Beating): void;
	/** A sign of life. */
	heard(client: Beating): void;
	remove(client: Beating): void;
};

const MISSES = 2;

export function createHeartbeat(intervalMs: number): Heartbeat {
	const unanswered = new Map<Beating, number>();
	const timer = setInterval(beat, intervalMs);
	timer.unref();

	function beat(): void {
		for (const [client, missed] of unanswered) {
			if (missed >= MISSES) {
				unanswered.delete(client);
				client.cut();
				continue;
			}
			unanswered.set(client, missed + 1);
			client.ping();
		}
	}

	return {
		add: (client) => void unanswered.set(client, 0),
		heard(client) {
			if (unanswered.has(client)) unanswered.set(client, 0);
		},
		remove: (client) => void unanswered.delete(client),
		[Symbol.dispose]: () => clearInterval(timer),
	};
}
