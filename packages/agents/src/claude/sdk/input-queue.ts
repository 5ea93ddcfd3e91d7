// What is written to an agent, in order: filled from one side, read by the SDK from the other.

export type InputQueue<T> = AsyncIterable<T> & {
	/** False where it is full or ended: the caller keeps what it has. */
	push(item: T): boolean;
	/** What is in it is still read; then the reader is done. */
	end(): void;
};

export function createInputQueue<T>(limit: number): InputQueue<T> {
	const items: T[] = [];
	let isEnded = false;
	let wake = () => {};

	async function* read(): AsyncGenerator<T> {
		for (;;) {
			const next = items.shift();
			if (next !== undefined) yield next;
			else if (isEnded) return;
			else await new Promise<void>((resolve) => (wake = resolve));
		}
	}

	return {
		push(item) {
			if (isEnded || items.length >= limit) return false;
			items.push(item);
			wake();
			return true;
		},
		end() {
			isEnded = true;
			wake();
		},
		[Symbol.asyncIterator]: read,
	};
}
