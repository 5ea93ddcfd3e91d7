// Signatures that were used to attach to a terminal: each opens one channel. They are kept until they expire.

export type UsedSeals = {
	/** False if it was used before. */
	use(id: string, expiresAt: number): boolean;
};

const MOST_KEPT = 1_000;

export function createUsedSeals(now: () => number): UsedSeals {
	const used = new Map<string, number>();
	return {
		use(id, expiresAt) {
			if (used.has(id)) return false;
			used.set(id, expiresAt);
			if (used.size > MOST_KEPT) for (const [old, until] of used) if (until <= now()) used.delete(old);
			// A repeat that is forgotten gets no further: without the key of its face nothing can be sealed or opened.
			const [oldest] = used.keys();
			if (used.size > MOST_KEPT && oldest !== undefined) used.delete(oldest);
			return true;
		},
	};
}
