// Typed reading of database rows: a value of another type than its column has means a damaged file.
import type { DatabaseSync, SQLOutputValue } from 'node:sqlite';
import { parseJson } from '@roost/core/display/parse-json';
import { AppError } from '@roost/protocol/app-error';
import { type StoredLine, storedLine } from '@roost/protocol/stored-line';

export type Row = Record<string, SQLOutputValue>;

export function allRows(db: DatabaseSync, sql: string): Row[] {
	return db.prepare(sql).all();
}

export function textOf(row: Row, column: string): string {
	const value = row[column];
	if (typeof value !== 'string') throw unexpected(column);
	return value;
}

export function numberOf(row: Row, column: string): number {
	const value = row[column];
	if (typeof value !== 'number') throw unexpected(column);
	return value;
}

/** For values that are stored as JSON. */
export function parsedOf<Value>(row: Row, column: string, schema: { parse(value: unknown): Value }): Value {
	const text = textOf(row, column);
	try {
		return schema.parse(JSON.parse(text));
	} catch (cause) {
		throw unexpected(column, cause);
	}
}

/** Undefined for a line that was changed into something else than an event; verify reports it. */
export function lineOf(row: Row): StoredLine | undefined {
	return storedLine.safeParse(parseJson(textOf(row, 'line'))).data;
}

function unexpected(column: string, cause?: unknown): AppError {
	const message = `The database has an unexpected value in column ${column}. Restore a backup, or start with a new database.`;
	return new AppError('corrupt', message, { cause });
}
