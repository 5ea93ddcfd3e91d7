// Runs work for many items, a few at a time, with the results in order.

/** Throws if one of them does, or on abort. */
export async function atMost<T, R>(
	limit: number,
	items: readonly T[],
	work: (item: T) => Promise<R>,
	signal?: AbortSignal,
): Promise<R[]> {
	const outcomes: R[] = [];
	const rest = items.entries();
	const worker = async () => {
		for (const [at, item] of rest) {
			signal?.throwIfAborted();
			outcomes[at] = await work(item);
		}
	};
	await Promise.all(Array.from({ length: Math.min(limit, items.length) }, worker));
	return outcomes;
}
