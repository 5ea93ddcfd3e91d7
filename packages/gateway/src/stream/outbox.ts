// Counts the unsent bytes of a client, the measure of how slow it is.
// The socket's own figure stays near zero on loopback, so the count comes from the callback of each send.

export type Outbox = {
	/** Whether more may be sent. Frames that are sent anyway are counted too. */
	hasRoom(): boolean;
	/** In bytes. */
	waiting(): number;
	send(frame: Buffer): void;
};

export type OutboxDeps = {
	write(frame: Buffer, taken: () => void): void;
	queueBytes: number;
	/** A full queue is half empty again. */
	onRoom(): void;
	/** The client reads nothing and still requests replies: twice its queue is unsent. */
	onOverflow(): void;
};

export function createOutbox(deps: OutboxDeps): Outbox {
	let waiting = 0;
	let full = false;
	function taken(bytes: number): void {
		waiting -= bytes;
		if (!full || waiting > deps.queueBytes / 2) return;
		full = false;
		deps.onRoom();
	}
	return {
		hasRoom: () => !full,
		waiting: () => waiting,
		send(frame) {
			const bytes = frame.length;
			// One frame may be larger than the queue: only the bytes before it count.
			if (waiting > deps.queueBytes * 2) deps.onOverflow();
			waiting += bytes;
			full ||= waiting >= deps.queueBytes;
			deps.write(frame, () => taken(bytes));
		},
	};
}
