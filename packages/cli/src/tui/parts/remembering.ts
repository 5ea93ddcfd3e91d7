// Caches the last result of a function for each object: rows and lists are needed in every frame and change rarely.

/** Calls `make` again when one of the other arguments changes. */
export function remembering<Key extends object, More extends readonly unknown[], Made>(
	make: (key: Key, ...more: More) => Made,
): (key: Key, ...more: More) => Made {
	const known = new WeakMap<Key, { more: More; made: Made }>();
	return (key, ...more) => {
		const last = known.get(key);
		if (last?.more.every((one, at) => one === more[at])) return last.made;
		const made = make(key, ...more);
		known.set(key, { more, made });
		return made;
	};
}
