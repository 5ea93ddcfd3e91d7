// Work on the store in two lanes: live batches of all runners come before backfill, so that a long one delays nobody.

export type Lanes = {
	run<T>(lane: 'live' | 'backfill', work: () => Promise<T>): Promise<T>;
};

/** `width`: how many run at once. */
export function createLanes(width: number): Lanes {
	const waiting = { live: [] as (() => void)[], backfill: [] as (() => void)[] };
	let running = 0;

	function next(): void {
		if (running >= width) return;
		const start = waiting.live.shift() ?? waiting.backfill.shift();
		if (!start) return;
		running += 1;
		start();
	}

	return {
		async run(lane, work) {
			const { promise, resolve } = Promise.withResolvers<void>();
			waiting[lane].push(resolve);
			next();
			await promise;
			try {
				return await work();
			} finally {
				running -= 1;
				next();
			}
		},
	};
}
