// Event listeners: an error in one affects neither the others nor the sender.

/** Runs a handler and reports its error. */
export type Guard = (action: () => void) => void;

export type Listeners<T> = {
	/** Returns the unsubscribe function. */
	add(handler: (value: T) => void): () => void;
	emit(value: T): void;
};

export function createListeners<T>(guard: Guard): Listeners<T> {
	const entries = new Set<{ handler: (value: T) => void }>();
	return {
		add(handler) {
			// An entry of its own, so that the same function can be added twice.
			const entry = { handler };
			entries.add(entry);
			return () => {
				entries.delete(entry);
			};
		},
		emit(value) {
			for (const entry of [...entries]) {
				if (entries.has(entry)) guard(() => entry.handler(value));
			}
		},
	};
}
