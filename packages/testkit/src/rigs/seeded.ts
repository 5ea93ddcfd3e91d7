// Random choices that a seed repeats: a failure names its seed, and ROOST_SEED runs it again.

export type Seeded = {
	readonly seed: number;
	/** In [0, 1). */
	next(): number;
	/** From 0 to one less than this. */
	below(limit: number): number;
	pick<T>(from: readonly [T, ...T[]]): T;
};

/** Prints the seed. `fixed`: where no other one is given. */
export function seededChoices(what: string, fixed: number): Seeded {
	const seed = Number(process.env.ROOST_SEED ?? fixed);
	process.stdout.write(`${what}: ROOST_SEED=${seed}\n`);
	return createSeeded(seed);
}

/** Mulberry32. */
export function createSeeded(seed: number): Seeded {
	let state = seed >>> 0;

	function next(): number {
		state = (state + 0x6d2b79f5) >>> 0;
		let mixed = Math.imul(state ^ (state >>> 15), state | 1);
		mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
		return ((mixed ^ (mixed >>> 14)) >>> 0) / 0x1_0000_0000;
	}
	const below = (limit: number) => Math.floor(next() * limit);
	return { seed, next, below, pick: (from) => from[below(from.length)] ?? from[0] };
}
