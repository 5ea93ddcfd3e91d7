// Runs work with the same key one after the other; work with different keys runs in parallel.

export type InTurn<Key> = <T>(key: Key, work: () => Promise<T>) => Promise<T>;

export function createInTurn<Key>(): InTurn<Key> {
	const last = new Map<Key, Promise<unknown>>();
	return async (key, work) => {
		const before = last.get(key);
		const mine = before ? before.then(work, work) : work();
		last.set(key, mine);
		try {
			return await mine;
		} finally {
			if (last.get(key) === mine) last.delete(key);
		}
	};
}
