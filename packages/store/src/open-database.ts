// Opens the database file with the settings the record relies on, and refuses what is not a record.
import { DatabaseSync } from 'node:sqlite';
import { AppError } from '@roost/protocol/app-error';
import { makePrivateFile, requirePlainFile } from './private-file.ts';
import { migrate, requireCurrentSchema, requireKnownSchema } from './schema.ts';

/** Enough for the pages that appends and readers touch again; more would only make the process larger. */
const CACHE_KIB = 8_000;
/** How long a reader or a checkpoint of another process is waited for. */
const BUSY_MS = 5_000;
/** A larger write-ahead log than SQLite's default: fewer checkpoints, each of which delays one append. */
const CHECKPOINT_PAGES = 4_000;
/** Twice SQLite's default: lines are long, and fewer pages make a group commit a quarter faster. */
const PAGE_BYTES = 8_192;

export function openForWriting(path: string): DatabaseSync {
	for (const companion of [`${path}-wal`, `${path}-shm`]) requirePlainFile(companion);
	if (requirePlainFile(path) === undefined) makePrivateFile(path);
	return closedOnFailure(new DatabaseSync(path, { timeout: BUSY_MS }), (db) => {
		// First of all, so that a file which is not ours stays as it was.
		requireKnownSchema(db, path);
		makePrivateFile(path);
		db.exec(`PRAGMA page_size = ${PAGE_BYTES}; PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL`);
		db.exec(`PRAGMA wal_autocheckpoint = ${CHECKPOINT_PAGES}; PRAGMA cache_size = -${CACHE_KIB}`);
		requireDurable(db, path);
		migrate(db, path);
	});
}

/** For a record that need not outlive the process. */
export function openInMemory(): DatabaseSync {
	return closedOnFailure(new DatabaseSync(':memory:'), (db) => migrate(db, ':memory:'));
}

export function openForReading(path: string): DatabaseSync {
	if (requirePlainFile(path) === undefined) {
		throw new AppError('not_found', `There is no record at ${path} yet; run an agent through Roost first.`);
	}
	return closedOnFailure(new DatabaseSync(path, { timeout: BUSY_MS, readOnly: true }), (db) => requireCurrentSchema(db, path));
}

/** SQLite may keep another mode without saying so; an acknowledged event must be on the disk. */
function requireDurable(db: DatabaseSync, path: string): void {
	const journal = db.prepare('PRAGMA journal_mode').get()?.journal_mode;
	const synchronous = db.prepare('PRAGMA synchronous').get()?.synchronous;
	if (journal === 'wal' && synchronous === 2) return;
	throw new AppError('store_unavailable', `${path} is on a file system that cannot keep a write-ahead log; choose a local disk.`);
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
