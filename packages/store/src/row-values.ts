// Typed reading of database values: a row that does not have the shape of its table means a damaged file.
import type { SQLOutputValue } from 'node:sqlite';
import { AppError } from '@roost/protocol/app-error';

type Row = Record<string, SQLOutputValue>;

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

/** For values that are kept as JSON. */
export function parsedOf<Value>(row: Row, column: string, schema: { parse(value: unknown): Value }): Value {
	const text = textOf(row, column);
	try {
		return schema.parse(JSON.parse(text));
	} catch (cause) {
		throw unexpected(column, cause);
	}
}

function unexpected(column: string, cause?: unknown): AppError {
	return new AppError(
		'corrupt',
		`The database has an unexpected value in column ${column}; restore a backup, or start with a new one.`,
		{ cause },
	);
}
