// Statements over SQLite. The database is synchronous; a transaction is not, so every statement waits for the open one to end.
import type { DatabaseSync, StatementSync } from 'node:sqlite';
import { AppError } from '@roost/protocol/app-error';
import { toStoreError } from '@roost/store/store-error';
import { inTransaction, inUnsyncedTransaction } from '@roost/store/transaction';
import type { Sql, SqlStatements, SqlValue } from './sql.ts';

export type SqliteSql = Sql & {
	/** For prepared statements of the caller. */
	write<T>(action: () => T): Promise<T>;
	/** The same for data that can be made again: on disk with a later commit. */
	writeUnsynced<T>(action: () => T): Promise<T>;
	/** After the statements that were called before. */
	close(): Promise<void>;
};

export function createSqliteSql(db: DatabaseSync, path: string): SqliteSql {
	const exclusive = createTurns();
	const statements = createStatements(db);

	async function checked<T>(action: () => T | Promise<T>): Promise<T> {
		if (!db.isOpen) throw new AppError('store_unavailable', `The database ${path} was closed. Open it again first.`);
		try {
			return await action();
		} catch (cause) {
			throw toStoreError(cause, path);
		}
	}

	async function transaction<T>(action: (sql: SqlStatements) => Promise<T>): Promise<T> {
		db.exec('BEGIN IMMEDIATE');
		try {
			const result = await action(statements);
			db.exec('COMMIT');
			return result;
		} catch (cause) {
			// A full disk makes SQLite roll back by itself.
			if (db.isTransaction) db.exec('ROLLBACK');
			throw cause;
		}
	}

	return {
		all: (text, values) => exclusive(() => checked(() => statements.all(text, values))),
		run: (text, values) => exclusive(() => checked(() => statements.run(text, values))),
		listed: (parameter) => `json_each(${parameter})`,
		transaction: (action) => exclusive(() => checked(() => transaction(action))),
		write: (action) => exclusive(() => checked(() => inTransaction(db, 'write', action))),
		writeUnsynced: (action) => exclusive(() => checked(() => inUnsyncedTransaction(db, action))),
		close: () =>
			exclusive(async () => {
				if (db.isOpen) db.close();
			}),
	};
}

function createStatements(db: DatabaseSync): SqlStatements {
	const prepared = new Map<string, StatementSync>();
	const statement = (text: string) => {
		const found = prepared.get(text) ?? db.prepare(text);
		prepared.set(text, found);
		return found;
	};
	return {
		all: async (text, values) => statement(text).all(toNamed(values)),
		run: async (text, values) => Number(statement(text).run(toNamed(values)).changes),
	};
}

/** To SQLite, `$1` is a name. */
function toNamed(values: readonly SqlValue[] = []): Record<string, SqlValue> {
	return Object.fromEntries(values.map((value, at) => [`$${at + 1}`, value]));
}

/** Each action starts when the one before has ended. */
function createTurns(): <T>(action: () => Promise<T>) => Promise<T> {
	let last: Promise<unknown> = Promise.resolve();
	return (action) => {
		const turn = last.then(action);
		last = turn.catch(() => undefined);
		return turn;
	};
}
