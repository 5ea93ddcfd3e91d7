// The statements of a hub's tables, over SQLite and over Postgres: the same text, with parameters `$1`, `$2` and so on.
import { AppError } from '@roost/protocol/app-error';
import { err, ok, type Result } from '@roost/protocol/result';
import type { Row } from '@roost/store/row-values';

export type SqlValue = string | number | null;

/** Failures of the database are thrown as AppErrors. */
export type SqlStatements = {
	all(text: string, values?: readonly SqlValue[]): Promise<Row[]>;
	/** The number of rows that changed. */
	run(text: string, values?: readonly SqlValue[]): Promise<number>;
};

export type Sql = SqlStatements & {
	/** Committed when the action returns, and rolled back when it throws. */
	transaction<T>(action: (sql: SqlStatements) => Promise<T>): Promise<T>;
	/** A table with the column `value`: the texts of the JSON list in a parameter. */
	listed(parameter: string): string;
};

/** Neither database accepts a missing limit in the same way. */
export const NO_LIMIT = Number.MAX_SAFE_INTEGER;

/** The result of statements; a bug is thrown. */
export async function settle<T>(action: () => Promise<T>): Promise<Result<T>> {
	try {
		return ok(await action());
	} catch (cause) {
		if (cause instanceof AppError) return err(cause);
		throw cause;
	}
}
