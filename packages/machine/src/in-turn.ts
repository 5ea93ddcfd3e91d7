// Commands for one session are carried out one after the other; those for different sessions do not wait for each other.

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
