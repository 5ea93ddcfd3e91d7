// A directory that only this user can enter: made by us, or proven to be ours.
import { lstatSync, mkdirSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { hasCode } from '@roost/machine/error-code';
import { AppError } from '@roost/protocol/app-error';
import { err, ok, type Result } from '@roost/protocol/result';

/** Returns the absolute path; refuses a link, a stranger's directory, and one that others may enter. */
export function ensurePrivateDir(dir: string): Result<string> {
	// Resolved first: lstat of a path with a trailing slash would follow a link.
	const path = resolve(dir);
	try {
		mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
		makeDir(path);
		const stat = lstatSync(path);
		if (!stat.isDirectory()) return unsafe(path, 'it is not a directory');
		if (stat.uid !== process.getuid?.()) return unsafe(path, 'it belongs to another user');
		if ((stat.mode & 0o077) !== 0) return unsafe(path, 'others may enter it: run chmod 700 on it');
		return ok(path);
	} catch (cause) {
		return err(new AppError('cannot_start', `cannot use the directory ${path}`, { cause }));
	}
}

function makeDir(path: string): void {
	try {
		mkdirSync(path, { mode: 0o700 });
	} catch (error) {
		// It was there before: the checks that follow say whether it may be used.
		if (!hasCode(error, 'EEXIST')) throw error;
	}
}

function unsafe(path: string, why: string): Result<never> {
	return err(new AppError('unsafe_path', `${path} is not safe to use: ${why}`));
}
