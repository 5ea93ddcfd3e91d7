// The record on disk: one SQLite file with a single writer, any number of readers, and the heads of its hash chains beside it.
import { resolve } from 'node:path';
import { AppError } from '@roost/protocol/app-error';
import { err, type Result } from '@roost/protocol/result';
import { headsAt } from './heads-file.ts';
import { keepHeads } from './keep-heads.ts';
import { openForReading, openForWriting } from './open-database.ts';
import { createSqliteViews } from './sqlite-views.ts';
import { createSqliteWriter } from './sqlite-writer.ts';
import type { Store } from './store.ts';
import { attempt } from './store-error.ts';
import { takeWriterLock } from './writer-lock.ts';

export type SqliteStoreOptions = {
	path: string;
	/** The heads file; beside the database by default. */
	headsPath?: string;
	access: 'write' | 'read';
};

export function openSqliteStore(options: SqliteStoreOptions): Result<Store> {
	const path = resolve(options.path);
	const headsPath = resolve(options.headsPath ?? `${path}.heads`);
	return options.access === 'write' ? openWriter(path, headsPath) : attempt(path, () => openReader(path, headsPath));
}

function openWriter(path: string, headsPath: string): Result<Store> {
	const lock = takeWriterLock(path);
	if (!lock.ok) return lock;
	const store = attempt(path, () => {
		const db = openForWriting(path);
		return createSqliteWriter({ db, path, heads: keepHeads(db, headsPath), onClosed: lock.value.release });
	});
	if (!store.ok) lock.value.release();
	return store;
}

function openReader(path: string, headsPath: string): Store {
	const db = openForReading(path);
	const close = async () => {
		if (db.isOpen) db.close();
	};
	const refuse = async () => err(new AppError('store_unavailable', `${path} was opened read-only. Append through the runner.`));
	const views = createSqliteViews({ db, path, heads: headsAt(headsPath) });
	return {
		...views,
		append: refuse,
		openEpoch: refuse,
		outbox: { ...views.outbox, markFlushed: refuse },
		close,
		[Symbol.asyncDispose]: close,
	};
}
