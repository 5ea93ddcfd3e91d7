// Opens a database file with the settings that acknowledged events rely on, and refuses other files.
import { DatabaseSync } from 'node:sqlite';
import { AppError } from '@roost/protocol/app-error';
import { type FileSchema, knownVersion, migrateFile } from './migrations.ts';
import { makePrivateFile, requirePlainFile } from './private-file.ts';
import { RECORD_SCHEMA, requireCurrentSchema } from './schema.ts';

/** Enough for the pages that appends and readers reuse; more would only take memory. */
const CACHE_KIB = 8_000;
/** How long to wait for a reader or a checkpoint of another process. */
const BUSY_MS = 5_000;
/** A larger write-ahead log than SQLite's default: fewer checkpoints, each of which delays one append. */
const CHECKPOINT_PAGES = 1_000;
/** Twice SQLite's default: lines are long, and fewer pages make a group commit a quarter faster. */
const PAGE_BYTES = 8_192;

export function openForWriting(path: string, schema: FileSchema = RECORD_SCHEMA): DatabaseSync {
	for (const companion of [`${path}-wal`, `${path}-shm`]) requirePlainFile(companion);
	if (requirePlainFile(path) === undefined) makePrivateFile(path);
	return closedOnFailure(new DatabaseSync(path, { timeout: BUSY_MS }), (db) => {
		// First, so that a file of another program is not changed.
		knownVersion(db, path, schema);
		makePrivateFile(path);
		db.exec(`PRAGMA page_size = ${PAGE_BYTES}; PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL`);
		db.exec(`PRAGMA wal_autocheckpoint = ${CHECKPOINT_PAGES}; PRAGMA cache_size = -${CACHE_KIB}`);
		requireDurable(db, path);
		migrateFile(db, path, schema);
	});
}

/** For a record that ends with the process. */
export function openInMemory(): DatabaseSync {
	return closedOnFailure(new DatabaseSync(':memory:'), (db) => migrateFile(db, ':memory:', RECORD_SCHEMA));
}

export function openForReading(path: string): DatabaseSync {
	if (requirePlainFile(path) === undefined) {
		throw new AppError('not_found', `No record at ${path} yet. Run an agent through Roost first.`);
	}
	return closedOnFailure(new DatabaseSync(path, { timeout: BUSY_MS, readOnly: true }), (db) => requireCurrentSchema(db, path));
}

/** SQLite may silently keep another mode; an acknowledged event must be on disk. */
function requireDurable(db: DatabaseSync, path: string): void {
	const journal = db.prepare('PRAGMA journal_mode').get()?.journal_mode;
	const synchronous = db.prepare('PRAGMA synchronous').get()?.synchronous;
	if (journal === 'wal' && synchronous === 2) return;
	throw new AppError(
		'store_unavailable',
		`${path} is on a file system that does not support a write-ahead log. Choose a local disk.`,
	);
}

function closedOnFailure(db: DatabaseSync, prepare: (db: DatabaseSync) => void): DatabaseSync {
	try {
		prepare(db);
		return db;
	} catch (cause) {
		db.close();
		throw cause;
	}
}
