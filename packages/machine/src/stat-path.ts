// Reads the status of untrusted paths: system errors count as "not there", other errors are thrown.
import { constants, type Stats } from 'node:fs';
import { access, lstat, stat } from 'node:fs/promises';

/** Does not follow links. */
export function statLink(path: string): Promise<Stats | null> {
	return unlessHidden(lstat(path));
}

/** Follows links. */
export function statTarget(path: string): Promise<Stats | null> {
	return unlessHidden(stat(path));
}

/** Throws if a folder is missing or not accessible. */
export function mustBeOpen(folder: string): Promise<void> {
	return access(folder, constants.R_OK | constants.X_OK);
}

/** Null on a system error: missing, no permission, or a dangling link. */
export async function unlessHidden<T>(result: Promise<T>): Promise<T | null> {
	try {
		return await result;
	} catch (cause) {
		if (cause instanceof Error && 'syscall' in cause) return null;
		throw cause;
	}
}
