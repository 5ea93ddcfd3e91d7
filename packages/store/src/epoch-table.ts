// The epochs of the log: a new one is opened when the log goes on from an older state than somebody has seen of it, as from a backup.
import type { DatabaseSync } from 'node:sqlite';
import { numberOf } from './row-values.ts';
import { inTransaction } from './transaction.ts';

export type EpochTable = {
	current(): number;
	/** When this returns, it is on disk. Nothing of the log was acknowledged in it yet. */
	open(why: string, at: number): number;
};

export const EPOCH_TABLE = `
	CREATE TABLE epochs (epoch INTEGER PRIMARY KEY, opened_at REAL NOT NULL, why TEXT NOT NULL) STRICT;
	INSERT INTO epochs (epoch, opened_at, why) VALUES (1, 0, 'the log began');
`;

export function createEpochTable(db: DatabaseSync): EpochTable {
	const last = db.prepare('SELECT max(epoch) AS epoch FROM epochs');
	const insert = db.prepare('INSERT INTO epochs (epoch, opened_at, why) VALUES (?, ?, ?)');
	const forgetMarks = db.prepare('DELETE FROM flushed');
	const current = () => numberOf(last.get() ?? {}, 'epoch');
	return {
		current,
		open: (why, at) =>
			inTransaction(db, 'write', () => {
				const next = current() + 1;
				insert.run(next, at, why);
				forgetMarks.run();
				return next;
			}),
	};
}
