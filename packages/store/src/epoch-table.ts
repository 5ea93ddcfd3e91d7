// The epochs of the log: a new one begins when the log continues from an older state, such as a backup.
import type { DatabaseSync } from 'node:sqlite';
import { numberOf } from './row-values.ts';
import { inTransaction } from './transaction.ts';

export const EPOCH_TABLE = `
	CREATE TABLE epochs (epoch INTEGER PRIMARY KEY, opened_at REAL NOT NULL, why TEXT NOT NULL) STRICT;
	INSERT INTO epochs (epoch, opened_at, why) VALUES (1, 0, 'the log began');
`;

export function createEpochTable(db: DatabaseSync) {
	const last = db.prepare('SELECT max(epoch) AS epoch FROM epochs');
	const insert = db.prepare('INSERT INTO epochs (epoch, opened_at, why) VALUES (?, ?, ?)');
	const clearMarks = db.prepare('DELETE FROM flushed');
	const current = () => numberOf(last.get() ?? {}, 'epoch');
	return {
		current,
		/** When this returns, it is on disk. Nothing counts as acknowledged in the new epoch. */
		open: (why: string, at: number, known = 0): number =>
			inTransaction(db, 'write', () => {
				const next = Math.max(current(), known) + 1;
				insert.run(next, at, why);
				clearMarks.run();
				return next;
			}),
	};
}
