// The rows of a batch as columns: what the hub sorts and filters by, then the whole row as JSON.
import { AppError } from '@roost/protocol/app-error';
import type { RowChanges } from '@roost/protocol/hub/link-frames';
import type { SqlValue } from './sql.ts';

export type RowColumns = Readonly<Record<keyof RowChanges, readonly SqlValue[][]>>;

/** Each row once, as of its last change. A text that one of the databases cannot store is a `bad_request`. */
export function toRowColumns({ sessions, asks, queues, usage }: RowChanges): RowColumns {
	return {
		sessions: lastOfEach(sessions.map(sessionColumns), 1),
		asks: lastOfEach(
			asks.map((row) => [row.id, row.sessionId, row.state, row.openedAt, JSON.stringify(row)]),
			1,
		),
		queues: lastOfEach(
			queues.map((row) => [row.sessionId, row.prompts.length, JSON.stringify(row)]),
			1,
		),
		usage: lastOfEach(
			usage.map((row) => [row.sessionId, row.day, row.model, JSON.stringify(row)]),
			3,
		),
	};
}

function sessionColumns(row: RowChanges['sessions'][number]): SqlValue[] {
	const { id, projectId, projectPath, status, archived, startedAt } = row;
	return [id, textOr(projectId), textOr(projectPath), status, archived === true ? 1 : 0, startedAt, JSON.stringify(row)];
}

function textOr(value: unknown): string {
	return typeof value === 'string' ? value : '';
}

/** One statement cannot write a row twice. */
function lastOfEach(rows: readonly SqlValue[][], keys: number): SqlValue[][] {
	const found = new Map<string, SqlValue[]>();
	for (const row of rows) {
		if (!row.every(isStorable)) throw unstorable();
		found.set(JSON.stringify(row.slice(0, keys)), row);
	}
	return [...found.values()];
}

/** Postgres stores neither half a surrogate pair nor a null character. */
function isStorable(value: SqlValue): boolean {
	return typeof value !== 'string' || (value.isWellFormed() && !value.includes('\0'));
}

function unstorable(): AppError {
	return new AppError('bad_request', 'A row of the batch has a text with invalid characters. Update Roost on that runner.');
}
