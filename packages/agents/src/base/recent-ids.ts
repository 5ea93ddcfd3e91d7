// Remembers between `count` and twice as many of the latest ids, at constant cost.

export type RecentIds = { add(id: string): void; has(id: string): boolean };

export function createRecentIds(count: number): RecentIds {
	let current = new Set<string>();
	let previous = new Set<string>();
	return {
		add(id) {
			current.add(id);
			if (current.size < count) return;
			previous = current;
			current = new Set();
		},
		has: (id) => current.has(id) || previous.has(id),
	};
}
