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

function unexpected(column: string): AppError {
	return new AppError(
		'corrupt',
		`The database has an unexpected value in column ${column}; restore a backup, or start with a new one.`,
	);
}
