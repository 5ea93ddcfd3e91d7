// The record in memory: the same database, gone when the process ends.
import type { Head } from './heads-file.ts';
import { openInMemory } from './open-database.ts';
import { createSqliteWriter } from './sqlite-writer.ts';
import type { Store } from './store.ts';

const NOWHERE = ':memory:';

export function createMemoryStore(): Store {
	const newest = new Map<string, Head>();
	const heads = {
		path: NOWHERE,
		read: () => ({ heldBefore: 0, heads: [...newest.values()], unreadable: [], notes: [] }),
		record(recorded: readonly Head[]) {
			for (const head of recorded) newest.set(head.stream, head);
		},
		close: () => {},
	};
	return createSqliteWriter({ db: openInMemory(), path: NOWHERE, heads, onClosed: () => {} });
}
