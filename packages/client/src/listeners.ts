// Whoever listens to one thing: one that throws harms neither the others nor the one who tells.

/** Runs somebody else's code and reports what it throws. */
export type Guard = (action: () => void) => void;

export type Listeners<T> = {
	/** Returns the function that ends the listening. */
	add(handler: (value: T) => void): () => void;
	tell(value: T): void;
};

export function createListeners<T>(guard: Guard): Listeners<T> {
	const entries = new Set<{ handler: (value: T) => void }>();
	return {
		add(handler) {
			// An entry of its own, so that the same function may listen twice.
			const entry = { handler };
			entries.add(entry);
			return () => {
				entries.delete(entry);
			};
		},
		tell(value) {
			for (const entry of [...entries]) {
				if (entries.has(entry)) guard(() => entry.handler(value));
			}
		},
	};
}
