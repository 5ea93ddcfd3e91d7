// Up to which event the heads file is known to be on disk, stored in the database: heads missing before it were cut off.
import type { DatabaseSync } from 'node:sqlite';
import { createLastSeqNo } from './log-reader.ts';
import { numberOf, textOf } from './row-values.ts';

export const HEADS_MARK_TABLE = `
	CREATE TABLE headed (runner_no INTEGER PRIMARY KEY, seq_no INTEGER NOT NULL) STRICT;
`;

export type RunnerMark = {
	runnerNo: number;
	runner: string;
	/** The last event of this runner whose head was on disk. */
	headed: number;
	last: number;
};

export function readMarks(db: DatabaseSync): RunnerMark[] {
	const rows = db.prepare(`
		SELECT runner_no, runner, coalesce(seq_no, 0) AS headed FROM runners LEFT JOIN headed USING (runner_no) ORDER BY runner_no
	`);
	const lastSeqNo = createLastSeqNo(db);
	return rows.all().map((row) => {
		const runnerNo = numberOf(row, 'runner_no');
		return { runnerNo, runner: textOf(row, 'runner'), headed: numberOf(row, 'headed'), last: lastSeqNo(runnerNo) };
	});
}

/** Marks that the heads of all events are on disk. */
export function markHeaded(db: DatabaseSync): void {
	const upsert = db.prepare(`
		INSERT INTO headed (runner_no, seq_no) VALUES (?, ?) ON CONFLICT (runner_no) DO UPDATE SET seq_no = excluded.seq_no
	`);
	for (const { runnerNo, headed, last } of readMarks(db)) if (headed !== last) upsert.run(runnerNo, last);
}
