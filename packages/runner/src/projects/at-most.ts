// Does something for each of many, a few at a time, and gives the outcomes in order.

/** Throws where one of them does, and when it shall stop. */
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
