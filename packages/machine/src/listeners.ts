// A set of listeners of which one that throws harms neither the others nor the caller.

/** Warns without the error's own text, which may hold what an agent reported. */
export function warnOfFailure(what: string, error: unknown): void {
	const name = error instanceof RangeError ? 'RangeError' : error instanceof TypeError ? 'TypeError' : 'Error';
	process.emitWarning(`${what} failed (${name}).`);
}

export type Listeners<A extends unknown[]> = {
	add(listener: (...args: A) => void): () => void;
	/** Tells all of them and returns what they threw. */
	tell(...args: A): unknown[];
	size(): number;
};

export function createListeners<A extends unknown[]>(): Listeners<A> {
	// Wrapped, so that one function added twice is told twice and removed once.
	const entries = new Set<{ listener: (...args: A) => void }>();
	return {
		add(listener) {
			const entry = { listener };
			entries.add(entry);
			return () => entries.delete(entry);
		},
		tell(...args) {
			const thrown: unknown[] = [];
			for (const { listener } of [...entries]) {
				try {
					listener(...args);
				} catch (error) {
					thrown.push(error);
				}
			}
			return thrown;
		},
		size: () => entries.size,
	};
}
