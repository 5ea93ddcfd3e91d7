// The tables of the record and their migrations.
import type { DatabaseSync } from 'node:sqlite';
import { AppError } from '@roost/protocol/app-error';
import { EPOCH_TABLE } from './epoch-table.ts';
import { HEADS_MARK_TABLE } from './heads-mark.ts';
import { type FileSchema, knownVersion } from './migrations.ts';
import { nameProjects } from './name-projects.ts';
import { foldQueues, QUEUE_TABLE } from './queue-table.ts';
import { RECEIPT_TABLE } from './receipt-table.ts';
import { CLEAR_SEARCH, SEARCH_TABLES } from './search-index.ts';
import { recountUsage, USAGE_TABLES } from './usage-table.ts';

const STEPS: FileSchema['steps'] = [
	`
	CREATE TABLE streams (stream_no INTEGER PRIMARY KEY, stream TEXT NOT NULL UNIQUE) STRICT;
	CREATE TABLE runners (runner_no INTEGER PRIMARY KEY, runner TEXT NOT NULL UNIQUE) STRICT;
	CREATE TABLE events (
		position INTEGER PRIMARY KEY,
		stream_no INTEGER NOT NULL,
		offset INTEGER NOT NULL,
		event_id TEXT NOT NULL UNIQUE,
		hash TEXT NOT NULL,
		line TEXT NOT NULL,
		UNIQUE (stream_no, offset)
	) STRICT;
	CREATE TABLE sessions (
		session_no INTEGER PRIMARY KEY,
		id TEXT NOT NULL UNIQUE,
		project_id TEXT NOT NULL,
		started_at REAL NOT NULL,
		session TEXT NOT NULL
	) STRICT;
	CREATE INDEX sessions_by_project ON sessions (project_id, started_at);
	CREATE TABLE native_ids (
		native_id TEXT NOT NULL,
		session_id TEXT NOT NULL,
		PRIMARY KEY (native_id, session_id)
	) STRICT, WITHOUT ROWID;
	CREATE TABLE indexed (runner_no INTEGER PRIMARY KEY, position INTEGER NOT NULL) STRICT;
	${SEARCH_TABLES}
	`,
	`
	CREATE TABLE asks (
		ask_no INTEGER PRIMARY KEY,
		id TEXT NOT NULL UNIQUE,
		session_id TEXT NOT NULL,
		state TEXT NOT NULL,
		opened_at REAL NOT NULL,
		ask TEXT NOT NULL
	) STRICT;
	CREATE INDEX asks_by_session ON asks (session_id, opened_at);
	CREATE INDEX asks_by_state ON asks (state, opened_at);
	CREATE TABLE rules (
		rule_no INTEGER PRIMARY KEY,
		id TEXT NOT NULL UNIQUE,
		created_at REAL NOT NULL,
		rule TEXT NOT NULL
	) STRICT;
	`,
	`
	CREATE TABLE flushed (runner_no INTEGER PRIMARY KEY, seq_no INTEGER NOT NULL) STRICT;
	`,
	(db) => {
		db.exec(USAGE_TABLES);
		recountUsage(db);
	},
	HEADS_MARK_TABLE,
	// Rules may expire: an older Roost would ignore that, so it must refuse the file.
	'',
	RECEIPT_TABLE,
	nameProjects,
	addPositions,
	EPOCH_TABLE,
	CLEAR_SEARCH,
];

/**
 * Adds to each row the position of its last change, so that a replica reads only the rows that changed.
 * An older row gets the last event of its session: at or after its real change, which is enough.
 */
function addPositions(db: DatabaseSync): void {
	const sessionColumns = { sessions: 'id', asks: 'session_id', usage_days: 'session_id' };
	for (const [table, session] of Object.entries(sessionColumns)) {
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

export const SCHEMA_VERSION = STEPS.length;

/** "RST1" */
export const RECORD_SCHEMA: FileSchema = { applicationId: 0x52535431, steps: STEPS };

/** For readers, who cannot migrate. */
export function requireCurrentSchema(db: DatabaseSync, path: string): void {
	const found = knownVersion(db, path, RECORD_SCHEMA);
	if (found === 0) throw new AppError('not_found', `No events in ${path} yet. Run an agent through Roost first.`);
	if (found < SCHEMA_VERSION) {
		throw new AppError('store_unavailable', `${path} was written by an older Roost. Start the runner once to migrate it.`);
	}
}
