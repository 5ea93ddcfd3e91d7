// Turns errors of SQLite and the file system into errors that a caller can act on; anything else is a bug and is thrown.
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
	const sqlite = sqliteCode(cause);
	const system = systemCode(cause);
	if (!(cause instanceof Error) || (sqlite === undefined && system === undefined)) throw cause;
	const [, code, sentence] = SENTENCES.find(([codes]) => codes.includes(sqlite ?? system)) ?? OTHER;
	const message = sentence.replace('{path}', () => path).replace('{why}', () => system ?? cause.message);
	return new AppError(code, message, { cause });
}

export function isConstraintError(cause: unknown): boolean {
	return sqliteCode(cause) === CONSTRAINT;
}

/** SQLite's primary result code; the finer code is in the higher bytes. */
function sqliteCode(cause: unknown): number | undefined {
	return cause instanceof Error && 'errcode' in cause && typeof cause.errcode === 'number' ? cause.errcode & 0xff : undefined;
}

function systemCode(cause: unknown): string | undefined {
	if (!(cause instanceof Error && 'syscall' in cause && 'code' in cause)) return undefined;
	return typeof cause.code === 'string' ? cause.code : undefined;
}

const CONSTRAINT = 19;
const [PERM, BUSY, LOCKED, READONLY, IOERR, CORRUPT, FULL, CANTOPEN, AUTH, NOTADB] = [3, 5, 6, 8, 10, 11, 13, 14, 23, 26];

/** By the primary result code of SQLite, or the code of a system error. */
const SENTENCES: readonly [codes: readonly (number | string | undefined)[], code: ErrorCode, sentence: string][] = [
	[[BUSY, LOCKED], 'store_busy', 'The database {path} is locked by another program. Close that program and retry.'],
	[
		[PERM, AUTH, 'EACCES', 'EPERM'],
		'store_unavailable',
		'Access to {path} is denied. Give your user read and write permission on it and its directory.',
	],
	[[READONLY], 'store_unavailable', 'The database {path} is read-only. Make the file and its directory writable and retry.'],
	[[IOERR], 'store_unavailable', 'The disk of {path} failed to read or write ({why}). Check the disk and retry.'],
	[
		[CORRUPT, NOTADB],
		'corrupt',
		'{path} is damaged or not a Roost database. Move it away and restore a backup, or start with a new one.',
	],
	[[FULL, 'ENOSPC', 'EDQUOT'], 'store_unavailable', 'The disk of {path} is full. Free some space and retry.'],
	[[CANTOPEN], 'store_unavailable', 'The database {path} cannot be opened. Check that its directory exists and is yours.'],
	[[CONSTRAINT], 'corrupt', '{path} holds rows that do not fit together ({why}). Run "roost verify" to find them.'],
	[['EROFS'], 'store_unavailable', '{path} is on a read-only file system. Choose a writable path.'],
	[
		['ENOTDIR', 'EEXIST'],
		'store_unavailable',
		'A part of the path {path} is a file, not a directory. Choose another path or move that file.',
	],
];
const OTHER = [[], 'store_unavailable', '{path} cannot be used ({why}). Run "roost doctor" and retry.'] as const;
