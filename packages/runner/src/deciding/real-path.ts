// Where paths lead once every link is followed; what does not exist yet lies where its nearest parent does.
import { lstatSync, readdirSync, readlinkSync, realpathSync, statSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { isGlob, matchesGlob } from '@roost/core/paths/glob-path';

export type PathResolver = {
	/** Step by step, as the system does it, also for a path that does not exist. */
	real(path: string): string;
	/** The same in one call of the system, for a path that usually exists. */
	existing(path: string): string;
	/** As the system takes the path, and by its names alone, as many programs take it. */
	both(path: string): readonly string[];
};

/** For one moment: what was looked at is not looked at again. */
export function createPathResolver(): PathResolver {
	const links = new Map<string, string | null>([['/', null]]);

	/** Where a link points; null for anything else, `absent` for nothing at all. */
	function linkAt(path: string): string | null {
		const known = links.get(path);
		if (known !== undefined) return known;
		const target = readLink(path);
		links.set(path, target);
		return target;
	}

	function walk(path: string, left: number): string {
		let at = '/';
		const names = path.split('/');
		for (const [index, name] of names.entries()) {
			if (name === '' || name === '.') continue;
			if (name === '..') {
				at = dirname(at);
				continue;
			}
			const next = at === '/' ? `/${name}` : `${at}/${name}`;
			const target = left === 0 ? null : linkAt(next);
			// A link that leads nowhere is written to wherever it points.
			if (target !== null) return walk([resolve(at, target), ...names.slice(index + 1)].join('/'), left - 1);
			at = next;
		}
		return at;
	}

	const real = (path: string) => walk(path, MAX_LINKS);
	return {
		real,
		existing(path) {
			try {
				return realpathSync.native(path);
			} catch {
				return real(path);
			}
		},
		both(path) {
			const named = resolve(path);
			return named === path ? [real(path)] : [...new Set([real(path), real(named)])];
		},
	};
}

const MAX_LINKS = 40;

function readLink(path: string): string | null {
	try {
		return lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() ? readlinkSync(path) : null;
	} catch {
		// Not to be read, or below a file: nothing leads on from there.
		return null;
	}
}

/** Two names of one file have the same; undefined for files with one name only, and for what is no file. */
export function sharedInode(path: string): string | undefined {
	try {
		const found = statSync(path, { throwIfNoEntry: false, bigint: true });
		return found?.isFile() && found.nlink > 1n ? `${found.dev}:${found.ino}` : undefined;
	} catch {
		// Not to be read: no agent of this user reads it either.
		return undefined;
	}
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

function entriesOf(folder: string) {
	try {
		return readdirSync(folder, { withFileTypes: true });
	} catch {
		// Not there, no folder, or not to be read.
		return [];
	}
}

export type GlobExpander = {
	expand(pattern: string): string[];
	/** More was wanted than is looked at. */
	readonly isSpent: boolean;
};

const MAX_ENTRIES = 5_000;
const MAX_FOLDERS = 100;

export function createGlobExpander(): GlobExpander {
	let entries = MAX_ENTRIES;
	let folders = MAX_FOLDERS;

	function matchesIn(folder: string, name: string): string[] {
		if (entries <= 0 || folders-- <= 0) return [];
		const found = entriesOf(folder || '/').slice(0, entries);
		entries -= found.length;
		return found.filter((entry) => matchesGlob(name, entry.name)).map((entry) => `${folder}/${entry.name}`);
	}

	return {
		expand(pattern) {
			const names = pattern.split('/');
			const first = names.findIndex(isGlob);
			let found = [names.slice(0, first).join('/')];
			for (const name of names.slice(first)) {
				found = found.flatMap((folder) => (isGlob(name) ? matchesIn(folder, name) : [`${folder}/${name}`]));
				if (found.length === 0) break;
			}
			return found;
		},
		get isSpent() {
			return entries <= 0 || folders <= 0;
		},
	};
}
