// What "roost install" puts into folders of the user, and takes out again: links and files, each only where it is its own.
import { createHash } from 'node:crypto';
import { lstatSync, readFileSync, readlinkSync, rmdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { hasCode } from '@roost/machine/error-code';
import { makeDirectories } from '@roost/machine/private-directory';
import { AppError } from '@roost/protocol/app-error';
import { err, ok, type Result } from '@roost/protocol/result';
import { z } from 'zod';

/** A link has its target, a file the hash of its text: what was changed since is not removed. */
export const madeEntry = z.object({ path: z.string(), kind: z.enum(['link', 'file', 'folder']), content: z.string() });
export type MadeEntry = z.infer<typeof madeEntry>;

export type WantedEntry = { path: string; target: string } | { path: string; text: string };

export function toEntry(wanted: WantedEntry): MadeEntry {
	if ('target' in wanted) return { path: wanted.path, kind: 'link', content: wanted.target };
	return { path: wanted.path, kind: 'file', content: hashOf(wanted.text) };
}

/** Whether something else than what was made stands there. */
export function isForeign(path: string, own: readonly MadeEntry[]): boolean {
	const found = readEntry(path);
	return found !== null && !own.some((entry) => isSame(entry, found));
}

/** Also the folders that it needs; returns what was made and was not there before. */
export function makeEntry(wanted: WantedEntry): Result<MadeEntry[]> {
	try {
		const folders = makeDirectories(dirname(wanted.path));
		rmSync(wanted.path, { force: true });
		if ('target' in wanted) symlinkSync(wanted.target, wanted.path);
		else writeFileSync(wanted.path, wanted.text, { flag: 'wx', mode: 0o644 });
		return ok([...folders.map(toFolder), toEntry(wanted)]);
	} catch (cause) {
		const why = cause instanceof Error ? cause.message : String(cause);
		return err(new AppError('cannot_start', `${wanted.path} cannot be written: ${why}.`, { cause }));
	}
}

/** Says whether it is gone: a folder that others use too, or a file that somebody changed, stays. */
export function removeEntry(entry: MadeEntry): boolean {
	const found = readEntry(entry.path);
	if (found === null) return true;
	if (!isSame(entry, found)) return false;
	if (entry.kind !== 'folder') {
		rmSync(entry.path);
		return true;
	}
	try {
		rmdirSync(entry.path);
		return true;
	} catch (cause) {
		if (hasCode(cause, 'ENOTEMPTY', 'EEXIST')) return false;
		throw cause;
	}
}

function toFolder(path: string): MadeEntry {
	return { path, kind: 'folder', content: '' };
}

function readEntry(path: string): MadeEntry | null {
	try {
		const found = lstatSync(path);
		if (found.isSymbolicLink()) return { path, kind: 'link', content: readlinkSync(path) };
		if (found.isDirectory()) return toFolder(path);
		return { path, kind: 'file', content: found.isFile() ? hashOf(readFileSync(path, 'utf8')) : '' };
	} catch {
		// Nothing can be there, or nothing that could be read: whoever writes there hears why not.
		return null;
	}
}

function isSame(a: MadeEntry, b: MadeEntry): boolean {
	return a.path === b.path && a.kind === b.kind && a.content === b.content;
}

function hashOf(text: string): string {
	return createHash('sha256').update(text).digest('hex');
}
