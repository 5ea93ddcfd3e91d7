// Private files, mode 0600: replaced atomically, and never read or written through a link or a file of another user.
import {
	chmodSync,
	closeSync,
	constants,
	fchmodSync,
	fstatSync,
	linkSync,
	openSync,
	readFileSync,
	renameSync,
	rmSync,
	type Stats,
	writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { parseJson } from '@roost/core/display/parse-json';
import { AppError } from '@roost/protocol/app-error';
import { err, ok, type Result } from '@roost/protocol/result';
import { hasCode } from './error-code.ts';
import { ensurePrivateDirectory } from './private-directory.ts';

const OWNER_ONLY = 0o600;
const LARGEST_BYTES = 64 * 1024;
const NAME = /^[A-Za-z0-9][A-Za-z0-9._-]{0,99}$/;

/** Writes `<directory>/<name>` in a private directory and returns its path; an object becomes JSON. */
export function writePrivateFile(directory: string, content: string | object, name: string): Result<string> {
	if (!NAME.test(name)) return err(new AppError('usage', `${JSON.stringify(name)} is not a name for a private file.`));
	const safe = ensurePrivateDirectory(directory);
	if (!safe.ok) return safe;
	const path = join(safe.value, name);
	const written = replacePrivateFile(path, typeof content === 'string' ? content : JSON.stringify(content, null, '\t'));
	return written.ok ? ok(path) : written;
}

export function replacePrivateFile(path: string, text: string): Result<void> {
	return replaceFile(path, text, OWNER_ONLY);
}

/** Atomic. An existing link is replaced, not followed. */
export function replaceFile(path: string, text: string, mode: number): Result<void> {
	return throughTemporary(path, text, mode, (temporary) => renameSync(temporary, path));
}

/** Atomic. False if the path exists. */
export function createPrivateFile(path: string, text: string): Result<boolean> {
	return throughTemporary(path, text, OWNER_ONLY, (temporary) => {
		try {
			linkSync(temporary, path);
			return true;
		} catch (cause) {
			if (hasCode(cause, 'EEXIST')) return false;
			throw cause;
		}
	});
}

/** Null if there is no file. Removes access for others first. */
export function readPrivateFile(path: string, largestBytes = LARGEST_BYTES): Result<string | null> {
	return withFile(path, constants.O_RDONLY, (file) => {
		if (fstatSync(file).size > largestBytes) throw new AppError('unsafe_path', `${path} is too large; remove it.`);
		return readFileSync(file, 'utf8');
	});
}

/** Undefined if the file is missing, unreadable or malformed. */
export function readPrivateJson(path: string, largestBytes?: number): unknown {
	const text = readPrivateFile(path, largestBytes);
	return text.ok && text.value !== null ? parseJson(text.value) : undefined;
}

/** A descriptor for appending; the caller closes it. */
export function openPrivateLog(path: string): Result<number> {
	try {
		return ok(openOurs(path, constants.O_WRONLY | constants.O_APPEND | constants.O_CREAT));
	} catch (cause) {
		return err(toFileError(path, cause));
	}
}

function throughTemporary<T>(path: string, text: string, mode: number, publish: (temporary: string) => T): Result<T> {
	const temporary = `${path}.${crypto.randomUUID()}`;
	try {
		writeFileSync(temporary, text, { flag: 'wx', mode, flush: true });
		// Regardless of the umask.
		chmodSync(temporary, mode);
		return ok(publish(temporary));
	} catch (cause) {
		return err(toFileError(path, cause));
	} finally {
		rmSync(temporary, { force: true });
	}
}

function withFile<T>(path: string, flags: number, use: (file: number) => T): Result<T | null> {
	let file: number | undefined;
	try {
		file = openOurs(path, flags);
		return ok(use(file));
	} catch (cause) {
		return hasCode(cause, 'ENOENT') ? ok(null) : err(toFileError(path, cause));
	} finally {
		if (file !== undefined) closeSync(file);
	}
}

/** Checks the open file and not its path, which could change in between. */
function openOurs(path: string, flags: number): number {
	// O_NONBLOCK: a pipe would block forever.
	const file = openSync(path, flags | constants.O_NOFOLLOW | constants.O_NONBLOCK, OWNER_ONLY);
	try {
		const found = fstatSync(file);
		if (!found.isFile()) throw unsafe(path, 'is not a plain file');
		if (process.getuid && found.uid !== process.getuid()) throw unsafe(path, 'belongs to another user');
		if (isOpenToOthers(found)) fchmodSync(file, OWNER_ONLY);
		// Some file systems ignore chmod.
		if (isOpenToOthers(fstatSync(file))) throw unsafe(path, 'can be read by others');
		return file;
	} catch (cause) {
		closeSync(file);
		throw cause;
	}
}

function isOpenToOthers(found: Stats): boolean {
	return (found.mode & 0o077) !== 0;
}

function toFileError(path: string, cause: unknown): AppError {
	if (cause instanceof AppError) return cause;
	// A symbolic link is ELOOP on most systems and EMLINK on some; a pipe without a reader is ENXIO.
	if (hasCode(cause, 'ELOOP', 'EMLINK')) return unsafe(path, 'is a symbolic link');
	if (hasCode(cause, 'EISDIR', 'ENXIO')) return unsafe(path, 'is not a plain file');
	if (hasCode(cause, 'EROFS')) return unusable(path, 'is on a read-only disk; set ROOST_HOME to a writable directory', cause);
	if (hasCode(cause, 'ENOSPC', 'EDQUOT')) return unusable(path, 'cannot be written, the disk is full; free some space', cause);
	const why = cause instanceof Error ? cause.message : String(cause);
	return unusable(path, `cannot be used: ${why}; make it and its directory yours`, cause);
}

function unusable(path: string, why: string, cause: unknown): AppError {
	return new AppError('cannot_start', `${path} ${why}.`, { cause });
}

function unsafe(path: string, why: string): AppError {
	return new AppError('unsafe_path', `${path} ${why}; remove it, and Roost makes its own.`);
}
