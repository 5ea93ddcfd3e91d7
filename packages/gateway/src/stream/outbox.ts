// What was given to a client and not taken yet, counted in bytes: the measure of how slow it is.
// The socket's own figure stays near zero on loopback, so the count is kept from the callbacks of each send.

export type Outbox = {
	/** Whether more may be pushed. What is sent all the same is counted too. */
	hasRoom(): boolean;
	/** In bytes. */
	waiting(): number;
	send(frame: Buffer): void;
};

export type OutboxDeps = {
	write(frame: Buffer, taken: () => void): void;
	queueBytes: number;
	/** The client has taken half of what filled its queue. */
	onRoom(): void;
	/** The client takes nothing and yet makes us answer: it holds twice its queue. */
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
			// One frame may be larger than any queue; what counts is what waited before it.
			if (waiting > deps.queueBytes * 2) deps.onOverflow();
			waiting += bytes;
			full ||= waiting >= deps.queueBytes;
			deps.write(frame, () => taken(bytes));
		},
	};
}
