// Bounds the memory of a session, even if an agent never finishes its calls.

/** Far more than any agent has open at once. */
export const KEPT = 512;

/** Drops the oldest entry of a Map or Set that has grown over the bound. */
export function keepNewest<K>(entries: { size: number; keys(): Iterator<K>; delete(key: K): boolean }): void {
	if (entries.size <= KEPT) return;
	const oldest = entries.keys().next();
	if (!oldest.done) entries.delete(oldest.value);
}
