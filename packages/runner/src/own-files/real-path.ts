// Where a path leads once every link is followed; what does not exist yet lies where its nearest parent does.
import { lstatSync, readdirSync, readlinkSync, realpathSync, statSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';

/** As the system takes the path, and by its names alone, as many programs take it. */
export function realPaths(path: string): readonly string[] {
	const followed = realNearest(path);
	const named = resolve(path);
	return named === path ? [followed] : [...new Set([followed, realNearest(named)])];
}

export function realNearest(path: string): string {
	try {
		return realpathSync.native(path);
	} catch {
		// It does not exist, or a part of it cannot be read: name by name.
		return walk(path, MAX_LINKS);
	}
}

const MAX_LINKS = 40;

function walk(path: string, links: number): string {
	let at = '/';
	const names = path.split('/');
	for (const [index, name] of names.entries()) {
		if (name === '' || name === '.') continue;
		const next = name === '..' ? dirname(at) : join(at, name);
		const target = name === '..' || links === 0 ? undefined : linkTarget(next);
		// A link that leads nowhere is written to wherever it points.
		if (target !== undefined) return walk([resolve(at, target), ...names.slice(index + 1)].join('/'), links - 1);
		at = next;
	}
	return at;
}

function linkTarget(path: string): string | undefined {
	try {
		return lstatSync(path).isSymbolicLink() ? readlinkSync(path) : undefined;
	} catch {
		// Nothing there.
		return undefined;
	}
}

/** Two names of one file have the same; undefined for files with one name only, and for what is no file. */
export function sharedInode(path: string): string | undefined {
	const found = statSync(path, { throwIfNoEntry: false, bigint: true });
	return found?.isFile() && found.nlink > 1n ? `${found.dev}:${found.ino}` : undefined;
}

/** Files and folders below a folder, at most so many. */
export function listBelow(folder: string, most: number, depth = 4): string[] {
	const found: string[] = [];
	for (const entry of entriesOf(folder)) {
		if (found.length >= most) break;
		const path = join(folder, entry.name);
		found.push(path);
		if (entry.isDirectory() && depth > 0) found.push(...listBelow(path, most - found.length, depth - 1));
	}
	return found;
}

export function entriesOf(folder: string) {
	try {
		return readdirSync(folder, { withFileTypes: true });
	} catch {
		// Not there, no folder, or not to be read.
		return [];
	}
}
