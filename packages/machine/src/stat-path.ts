// A look at a path that may be anything: what the system does not show us counts as not there, and a bug stays one.
import { constants, type Stats } from 'node:fs';
import { access, lstat, stat } from 'node:fs/promises';

/** The entry itself, also where it is a link. */
export function statLink(path: string): Promise<Stats | null> {
	return unlessHidden(lstat(path));
}

/** What a link leads to. */
export function statTarget(path: string): Promise<Stats | null> {
	return unlessHidden(stat(path));
}

/** Throws where a folder is gone, or may not be listed or gone into: one that is closed looks like an empty one else. */
export function mustBeOpen(folder: string): Promise<void> {
	return access(folder, constants.R_OK | constants.X_OK);
}

/** Null where the system says no: it is gone, closed to us, or leads nowhere. */
export async function unlessHidden<T>(looking: Promise<T>): Promise<T | null> {
	try {
		return await looking;
	} catch (cause) {
		if (cause instanceof Error && 'syscall' in cause) return null;
		throw cause;
	}
}
