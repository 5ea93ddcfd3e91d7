// Resolves links and globs in paths, including paths that do not exist yet.
import { lstatSync, readdirSync, readlinkSync, realpathSync, statSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { isGlob, matchesGlob } from '@roost/core/paths/glob-path';

export type PathResolver = {
	real(path: string): string;
	/** The same in one call, for a path that usually exists. */
	existing(path: string): string;
	/** As the system resolves it, and after textual normalisation, as many programs do. */
	both(path: string): readonly string[];
};

/** For one call: results are cached. */
export function createPathResolver(): PathResolver {
	const links = new Map<string, string | null>([['/', null]]);

	/** The target of a link; null for anything else. */
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
			// Also for a dangling link: writing creates its target.
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
		// Not readable, or below a file.
		return null;
	}
}

/** Identifies a file with several hard links; undefined for all others. */
export function sharedInode(path: string): string | undefined {
	try {
		const found = statSync(path, { throwIfNoEntry: false, bigint: true });
		return found?.isFile() && found.nlink > 1n ? `${found.dev}:${found.ino}` : undefined;
	} catch {
		// Not readable, and so neither for an agent of this user.
		return undefined;
	}
}

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
		// Missing, not a folder, or not readable.
		return [];
	}
}

export type GlobExpander = ReturnType<typeof createGlobExpander>;

const MAX_ENTRIES = 5_000;
const MAX_FOLDERS = 100;

/** Expands globs on disk, up to a limit per call: a match may be a link into a protected folder. */
export function createGlobExpander() {
	let entries = MAX_ENTRIES;
	let folders = MAX_FOLDERS;

	function matchesIn(folder: string, name: string): string[] {
		if (entries <= 0 || folders-- <= 0) return [];
		const found = entriesOf(folder || '/').slice(0, entries);
		entries -= found.length;
		return found.filter((entry) => matchesGlob(name, entry.name)).map((entry) => `${folder}/${entry.name}`);
	}

	return {
		expand(pattern: string): string[] {
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
