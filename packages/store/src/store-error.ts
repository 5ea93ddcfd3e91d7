// Turns what SQLite and the file system say into the error a caller can act on; anything else is a bug and is thrown.
import { AppError, type ErrorCode } from '@roost/protocol/app-error';
import { err, ok, type Result } from '@roost/protocol/result';

export function attempt<T>(path: string, action: () => T): Result<T> {
	try {
		return ok(action());
	} catch (cause) {
		return err(toStoreError(cause, path));
	}
}

export function toStoreError(cause: unknown, path: string): AppError {
	if (cause instanceof AppError) return cause;
	if (isSqliteError(cause)) return fromSqlite(cause, path);
	if (isFileError(cause)) return fromFile(cause, path);
	throw cause;
}

export function isConstraintError(cause: unknown): boolean {
	return isSqliteError(cause) && primaryCode(cause) === SQLITE.CONSTRAINT;
}

/** SQLite's primary result codes, by their names there. */
const SQLITE = {
	PERM: 3,
	BUSY: 5,
	LOCKED: 6,
	READONLY: 8,
	IOERR: 10,
	CORRUPT: 11,
	FULL: 13,
	CANTOPEN: 14,
	CONSTRAINT: 19,
	AUTH: 23,
	NOTADB: 26,
} as const;

type SqliteError = Error & { errcode: number };
type FileError = Error & { code: string };

function isSqliteError(cause: unknown): cause is SqliteError {
	return cause instanceof Error && 'errcode' in cause && typeof cause.errcode === 'number';
}

function isFileError(cause: unknown): cause is FileError {
	return cause instanceof Error && 'code' in cause && typeof cause.code === 'string' && 'syscall' in cause;
}

/** SQLite keeps the finer code in the higher bytes. */
function primaryCode(error: SqliteError): number {
	return error.errcode & 0xff;
}

function fromSqlite(error: SqliteError, path: string): AppError {
	const [code, sentence] = sqliteSentence(error, path);
	return new AppError(code, sentence, { cause: error });
}

function sqliteSentence(error: SqliteError, path: string): [ErrorCode, string] {
	switch (primaryCode(error)) {
		case SQLITE.BUSY:
		case SQLITE.LOCKED:
			return ['store_busy', `The database ${path} is locked by another program; close that program, then try again.`];
		case SQLITE.PERM:
		case SQLITE.AUTH:
			return ['store_unavailable', `Access to ${path} is denied; give your user read and write permission on it.`];
		case SQLITE.READONLY:
			return [
				'store_unavailable',
				`The database ${path} cannot be written; make the file and its directory writable, then try again.`,
			];
		case SQLITE.IOERR:
			return [
				'store_unavailable',
				`The disk under ${path} failed to read or write (${error.message}); check the disk, then try again.`,
			];
		case SQLITE.CORRUPT:
		case SQLITE.NOTADB:
			return [
				'corrupt',
				`${path} is damaged or not a Roost database; move it away and restore a backup, or start with a new one.`,
			];
		case SQLITE.FULL:
			return ['store_unavailable', `The disk under ${path} is full; free some space, then try again.`];
		case SQLITE.CANTOPEN:
			return ['store_unavailable', `The database ${path} cannot be opened; check that its directory exists and is yours.`];
		case SQLITE.CONSTRAINT:
			return ['corrupt', `${path} holds rows that do not fit together (${error.message}); run verify to see where.`];
		default:
			return ['store_unavailable', `The database ${path} refused the operation (${error.message}); run doctor, then try again.`];
	}
}

function fromFile(error: FileError, path: string): AppError {
	return new AppError('store_unavailable', fileSentence(error.code, path), { cause: error });
}

function fileSentence(code: string, path: string): string {
	switch (code) {
		case 'ENOSPC':
		case 'EDQUOT':
			return `The disk under ${path} is full; free some space, then try again.`;
		case 'EACCES':
		case 'EPERM':
			return `Access to ${path} is denied; give your user read and write permission on it and its directory.`;
		case 'EROFS':
			return `${path} is on a read-only file system; choose a place that can be written.`;
		case 'ENOTDIR':
		case 'EEXIST':
			return `A part of the path ${path} is a file, not a directory; choose another place or move that file.`;
		default:
			return `${path} cannot be used (${code}); check the path and try again.`;
	}
}
