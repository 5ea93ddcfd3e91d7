// The inbox of a session: every change is posted here and handled in order, one batch at a time.
import type { CommitPace, Haste } from './commit-pace.ts';

export type Inbox<T> = {
	/** False when the inbox is full: the item was not taken. */
	post(item: T, haste: ItemHaste): boolean;
	isFull(): boolean;
	/** Everything posted so far has been handled. */
	isIdle(): boolean;
	/** Resolves when everything posted so far has been handled, which begins at once. */
	idle(): Promise<void>;
};

/** `free`: needs no commit, only its place in the order. `shown`: the same, but visible to people, so earlier items are committed soon. */
export type ItemHaste = Haste | 'free' | 'shown';

const CAPACITY = 10_000;
const RANK = { free: 0, patient: 1, soon: 2, awaited: 3 } as const;

/** Items that arrive while a batch waits join it; items that arrive while it is handled form the next one. So a burst shares one commit. */
export function createInbox<T>(deps: {
	handle: (batch: T[]) => Promise<void>;
	failed: (cause: unknown, batch: T[]) => void;
	pace: CommitPace;
	capacity?: number;
}): Inbox<T> {
	const { handle, failed, pace, capacity = CAPACITY } = deps;
	let queue: T[] = [];
	/** The greatest haste in the queue, and the one it joined the pace with. */
	let haste: Haste | 'free' = 'free';
	let joined: Haste | 'free' = 'free';
	let draining: Promise<void> | null = null;

	function advance(): void {
		if (draining || queue.length === 0) return;
		if (haste === 'free') begin();
		else if (RANK[haste] > RANK[joined]) {
			joined = haste;
			pace.join(begin, haste);
		}
	}

	function begin(): void {
		joined = 'free';
		if (queue.length > 0) draining ??= drain();
	}

	async function drain(): Promise<void> {
		const batch = queue;
		queue = [];
		haste = 'free';
		try {
			await handle(batch);
		} catch (cause) {
			// The batch is lost; the session continues.
			failed(cause, batch);
		}
		draining = null;
		advance();
	}

	const isFull = () => queue.length >= capacity;

	return {
		isFull,
		isIdle: () => draining === null && queue.length === 0,
		post(item, itsHaste) {
			if (isFull()) return false;
			queue.push(item);
			const wanted = itsHaste !== 'shown' ? itsHaste : haste === 'free' ? 'free' : 'soon';
			if (RANK[wanted] > RANK[haste]) haste = wanted;
			advance();
			return true;
		},
		async idle() {
			while (draining || queue.length > 0) {
				if (queue.length > 0) haste = 'awaited';
				advance();
				await draining;
			}
		},
	};
}
