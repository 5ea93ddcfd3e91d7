// One writer per database: a lock of the operating system, which ends with its process, so that no crash leaves it behind.
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { AppError } from '@roost/protocol/app-error';
import { err, ok, type Result } from '@roost/protocol/result';
import { makePrivateFile } from './private-file.ts';
import { toStoreError } from './store-error.ts';

export type WriterLock = { release(): void };

/** Held as an exclusive transaction on a small database beside it: SQLite locks well on every platform. */
export function takeWriterLock(databasePath: string, writer: 'runner' | 'hub' = 'runner'): Result<WriterLock> {
	const lockPath = `${databasePath}.lock`;
	const pidPath = `${databasePath}.pid`;
	let lock: DatabaseSync | undefined;
	try {
		makePrivateFile(lockPath);
		lock = new DatabaseSync(lockPath, { timeout: 0 });
		// Never written to, so it needs no journal file.
		lock.exec('PRAGMA journal_mode = MEMORY; BEGIN EXCLUSIVE');
		makePrivateFile(pidPath);
		writeFileSync(pidPath, `${process.pid}\n`);
		return ok({ release: releaseOnce(lock, pidPath) });
	} catch (cause) {
		lock?.close();
		const error = toStoreError(cause, lockPath);
		return err(error.code === 'store_busy' ? busy(databasePath, pidPath, writer, error) : error);
	}
}

function releaseOnce(lock: DatabaseSync, pidPath: string): () => void {
	return () => {
		if (!lock.isOpen) return;
		try {
			rmSync(pidPath, { force: true });
		} catch {
			// The file is only informative; the lock is what counts.
		} finally {
			lock.close();
		}
	};
}

function busy(databasePath: string, pidPath: string, writer: string, cause: AppError): AppError {
	const holder = readHolder(pidPath);
	return new AppError('store_busy', `${databasePath} is in use by ${holder}. Use that ${writer}, or stop it first.`, {
		cause,
	});
}

function readHolder(pidPath: string): string {
	try {
		return `process ${readFileSync(pidPath, 'utf8').trim()}`;
	} catch {
		// The holder is just starting or ending; its id is only informative.
		return 'another process';
	}
}
