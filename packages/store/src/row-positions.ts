// Beside each row the place of its last change in the log, so that a replica reads only the rows that changed since it looked.
import type { DatabaseSync } from 'node:sqlite';
import { foldQueues, QUEUE_TABLE } from './queue-table.ts';

/** For a file that was written before: a row changed with the last event of its session, or earlier, which is as good. */
export function addPositions(db: DatabaseSync): void {
	for (const [table, session] of Object.entries(SESSION_COLUMNS)) {
		db.exec(`
			ALTER TABLE ${table} ADD COLUMN position INTEGER NOT NULL DEFAULT 0;
			UPDATE ${table} SET position = coalesce(
				(SELECT max(position) FROM events JOIN streams USING (stream_no) WHERE stream = ${table}.${session}),
				(SELECT max(position) FROM events),
				0
			);
			CREATE INDEX ${table}_by_position ON ${table} (position);
		`);
	}
	db.exec(QUEUE_TABLE);
	foldQueues(db);
}

/** The session that a row of each table is of. */
const SESSION_COLUMNS = { sessions: 'id', asks: 'session_id', usage_days: 'session_id' };
