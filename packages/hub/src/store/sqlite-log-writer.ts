// Stores lines and their rows in SQLite.
import type { DatabaseSync } from 'node:sqlite';
import { numberOf } from '@roost/store/row-values';
import type { Head } from './check-batch.ts';
import { createLogState } from './log-state.ts';
import type { RowColumns } from './row-columns.ts';
import type { SqliteSql } from './sqlite-sql.ts';
import type { CheckedLines, LogWriter, Written } from './take-batch.ts';

export function createSqliteLogWriter(db: DatabaseSync, sql: SqliteSql): LogWriter {
	const lastSeq = db.prepare('SELECT runner_no, last_seq FROM logs WHERE log_no = ? AND ended_at IS NULL');
	const lineAt = db.prepare('SELECT line FROM lines WHERE log_no = ? AND seq = ?');
	const insert = db.prepare('INSERT INTO lines (log_no, seq, stream_no, off, line) VALUES (?, ?, ?, ?, ?)');
	const moveEnd = db.prepare('UPDATE logs SET last_seq = ? WHERE log_no = ?');
	const saveHead = createHeadTable(db);
	const saveRows = createRowWriter(db);

	function write({ logNo, expected, lines, heads, rows }: CheckedLines): Written {
		const log = lastSeq.get(logNo);
		if (log === undefined) return { outcome: 'ended' };
		const last = numberOf(log, 'last_seq');
		const end = lines.at(-1)?.seqNo ?? 0;
		if (last !== expected && end > last) return { outcome: 'moved' };
		const different = lines.find(({ seqNo, line }) => seqNo <= last && lineAt.get(logNo, seqNo)?.line !== line);
		if (different !== undefined) return { outcome: 'differs', seqNo: different.seqNo };
		if (end <= last) return { outcome: 'known' };
		const numbers = new Map([...heads].map(([stream, head]) => [stream, saveHead(logNo, stream, head)]));
		for (const { seqNo, stream, offset, line } of lines)
			if (seqNo > last) insert.run(logNo, seqNo, numbers.get(stream) ?? 0, offset, line);
		moveEnd.run(end, logNo);
		saveRows(numberOf(log, 'runner_no'), rows, end);
		return { outcome: 'taken' };
	}

	return {
		state: createLogState(sql),
		write: (lines) => sql.write(() => write(lines)),
	};
}

/** Returns the number of the stream. */
function createHeadTable(db: DatabaseSync): (logNo: number, stream: string, head: Head) => number {
	const upsert = db.prepare(`
		INSERT INTO streams (log_no, stream, last_off, head) VALUES (?, ?, ?, ?)
		ON CONFLICT (log_no, stream) DO UPDATE SET last_off = excluded.last_off, head = excluded.head
		RETURNING stream_no
	`);
	return (logNo, stream, { offset, hash }) => numberOf(upsert.get(logNo, stream, offset, hash) ?? {}, 'stream_no');
}

/** The columns of each table in the order of the rows, the keys first. */
const ROW_TABLES: Record<keyof RowColumns, { table: string; keys: string[]; columns: string[] }> = {
	sessions: {
		table: 'sessions',
		keys: ['id'],
		columns: ['project_id', 'project_path', 'status', 'archived', 'started_at', 'document'],
	},
	asks: { table: 'asks', keys: ['id'], columns: ['session_id', 'state', 'opened_at', 'document'] },
	queues: { table: 'queues', keys: ['session_id'], columns: ['prompts', 'document'] },
	usage: { table: 'usage_days', keys: ['session_id', 'day', 'model'], columns: ['document'] },
};

/** A row that a later batch wrote stays. */
function createRowWriter(db: DatabaseSync): (runnerNo: number, rows: RowColumns, seqNo: number) => void {
	const upserts = Object.entries(ROW_TABLES).map(([name, { table, keys, columns }]) => {
		const changed = [...columns, 'seq'];
		const all = ['runner_no', ...keys, ...changed];
		const statement = db.prepare(`
			INSERT INTO ${table} (${all.join(', ')}) VALUES (${all.map(() => '?').join(', ')})
			ON CONFLICT (runner_no, ${keys.join(', ')}) DO UPDATE SET ${changed.map((column) => `${column} = excluded.${column}`).join(', ')}
			WHERE ${table}.seq < excluded.seq
		`);
		return { name: name as keyof RowColumns, statement };
	});
	return (runnerNo, rows, seqNo) => {
		for (const { name, statement } of upserts) for (const row of rows[name]) statement.run(runnerNo, ...row, seqNo);
	};
}
