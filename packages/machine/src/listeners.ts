// A set of listeners. One that throws affects neither the others nor the caller.

/** Without the error's message, which may contain agent output. */
export function warnOfFailure(what: string, error: unknown): void {
	const name = error instanceof RangeError ? 'RangeError' : error instanceof TypeError ? 'TypeError' : 'Error';
	process.emitWarning(`${what} failed (${name}).`);
}

export function createListeners<A extends unknown[]>() {
	// Wrapped, so that a function added twice is called twice and removed once.
	const entries = new Set<{ listener: (...args: A) => void }>();
	return {
		add(listener: (...args: A) => void): () => void {
			const entry = { listener };
			entries.add(entry);
			return () => entries.delete(entry);
		},
		/** Calls all of them and returns what they threw. */
		emit(...args: A): unknown[] {
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
