// Directories that only this user can enter.
import { chmodSync, lstatSync, mkdirSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { AppError } from '@roost/protocol/app-error';
import { err, ok, type Result } from '@roost/protocol/result';
import { hasCode } from './error-code.ts';

/** Creates it if missing and returns its absolute path. Rejects a link, a file, and a directory of another user. */
export function ensurePrivateDirectory(directory: string, ifOpen: 'refuse' | 'close' = 'refuse'): Result<string> {
	// Resolved first: lstat of a path with a trailing slash would follow a link.
	const path = resolve(directory);
	try {
		makeDirectories(path, 0o700);
		const found = lstatSync(path);
		if (!found.isDirectory()) return unsafe(path, 'it is not a directory: remove it');
		if (process.getuid && found.uid !== process.getuid()) return unsafe(path, 'it belongs to another user: choose another one');
		if ((found.mode & 0o077) === 0) return ok(path);
		if (ifOpen === 'refuse') return unsafe(path, 'other users can access it: run chmod 700 on it');
		chmodSync(path, 0o700);
		return ok(path);
	} catch (cause) {
		return err(new AppError('cannot_start', `Cannot create ${path}: ${whyNotMade(cause)}.`, { cause }));
	}
}

export function whyNotMade(cause: unknown): string {
	if (hasCode(cause, 'EROFS')) return 'the file system is read-only';
	if (hasCode(cause, 'EACCES', 'EPERM')) return 'permission denied';
	if (hasCode(cause, 'ENOENT')) return 'nothing can be created on that file system';
	return cause instanceof Error ? cause.message : String(cause);
}

/**
 * Creates it with its missing parents; returns the created ones, outermost first. Throws as mkdir does.
 * Node's recursive mkdir hangs on file systems where nothing can be created, such as /proc.
 */
export function makeDirectories(path: string, mode = 0o777): string[] {
	const parent = dirname(path);
	const first = tryToMake(path, mode);
	if (first !== 'no-parent') return first;
	const above = parent === path ? [] : makeDirectories(parent, mode);
	mkdirSync(path, { mode });
	return [...above, path];
}

function tryToMake(path: string, mode: number): string[] | 'no-parent' {
	try {
		mkdirSync(path, { mode });
		return [path];
	} catch (cause) {
		if (hasCode(cause, 'EEXIST')) return [];
		if (hasCode(cause, 'ENOENT')) return 'no-parent';
		throw cause;
	}
}

function unsafe(path: string, why: string): Result<never> {
	return err(new AppError('unsafe_path', `${path} is not safe to use: ${why}.`));
}
