// Runs an action in a transaction that ends with it: committed when it returns, rolled back when it throws.
import type { DatabaseSync } from 'node:sqlite';

/** `read` sees one snapshot throughout and also works on a file opened for reading. */
export function inTransaction<T>(db: DatabaseSync, kind: 'read' | 'write', action: () => T): T {
	db.exec(kind === 'read' ? 'BEGIN' : 'BEGIN IMMEDIATE');
	try {
		const result = action();
		db.exec('COMMIT');
		return result;
	} catch (cause) {
		rollBack(db);
		throw cause;
	}
}

/** For data that can be rebuilt from the log: without a sync of the disk, which a later commit of the log does. */
export function inUnsyncedTransaction<T>(db: DatabaseSync, action: () => T): T {
	db.exec('PRAGMA synchronous = NORMAL');
	try {
		return inTransaction(db, 'write', action);
	} finally {
		// Fails only inside a transaction that could not be ended; then the next append fails too.
		db.exec('PRAGMA synchronous = FULL');
	}
}

function rollBack(db: DatabaseSync): void {
	// A full disk makes SQLite roll back by itself.
	if (db.isTransaction) db.exec('ROLLBACK');
}
