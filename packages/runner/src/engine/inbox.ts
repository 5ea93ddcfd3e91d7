// A session's inbox: whatever changes a session is posted here and handled in order, one batch at a time.

export type Inbox<T> = {
	/** False when the inbox is full: the item was not taken. */
	post(item: T): boolean;
	isFull(): boolean;
	/** Everything posted so far has been handled. */
	isIdle(): boolean;
	/** Resolves when everything posted so far has been handled. */
	idle(): Promise<void>;
};

const CAPACITY = 10_000;

/** What arrives while a batch is being handled forms the next one, so a burst shares one commit. */
export function createInbox<T>(
	handle: (batch: T[]) => Promise<void>,
	failed: (cause: unknown, batch: T[]) => void,
	capacity = CAPACITY,
): Inbox<T> {
	let queue: T[] = [];
	let draining: Promise<void> | null = null;

	async function drain(): Promise<void> {
		while (queue.length > 0) {
			const batch = queue;
			queue = [];
			try {
				await handle(batch);
			} catch (cause) {
				// The batch is lost, the session goes on.
				failed(cause, batch);
			}
		}
		draining = null;
	}

	const isFull = () => queue.length >= capacity;

	return {
		isFull,
		isIdle: () => draining === null,
		post(item) {
			if (isFull()) return false;
			queue.push(item);
			draining ??= drain();
			return true;
		},
		async idle() {
			while (draining) await draining;
		},
	};
}
