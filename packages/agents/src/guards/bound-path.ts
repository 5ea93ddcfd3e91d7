// Whether a path that a command changes lies in the worktree, and not in git's own folder there.
import { readdir } from 'node:fs/promises';
import { isAbsolute, join, sep } from 'node:path';
import type { BoundPath } from '@roost/core/guards/judge-writing';
import { wayInside } from '../base/is-inside.ts';

/** Why it may not be changed; null where it may. Relative paths are seen from `cwd`. */
export async function whyNotPath(worktreePath: string, cwd: string, bound: BoundPath): Promise<string | null> {
	if (bound.path.startsWith('~')) return outside(bound.path, worktreePath);
	const path = isAbsolute(bound.path) ? bound.path : `${cwd}${sep}${bound.path}`;
	const paths = bound.glob ? await expand(path) : [path];
	if (paths === null) return `"${bound.path}" stands for too many files: name them, or their folder`;
	for (const each of paths) {
		const way = await wayInside(worktreePath, each);
		if (way === null) return outside(bound.path, worktreePath);
		if (isGits(way)) return `"${bound.path}" belongs to git: change it through git commands`;
	}
	return null;
}

function outside(path: string, worktreePath: string): string {
	return `"${path}" is outside your worktree (as is the folder for temporary files). Use a path inside ${worktreePath}`;
}

function isGits(way: string): boolean {
	return way.split(sep).some((name) => name.toLowerCase() === '.git');
}

const MAX_MATCHES = 5_000;

/** Everything the pattern may stand for, itself included: a shell leaves it alone where nothing matches. Null for too much. */
async function expand(pattern: string): Promise<string[] | null> {
	const names = pattern.split(sep);
	const first = names.findIndex((name) => /[*?[]/.test(name));
	if (first < 0) return [pattern];
	let found = [names.slice(0, first).join(sep) || sep];
	for (const name of names.slice(first)) {
		const next: string[] = [];
		for (const folder of found) {
			if (/[*?[]/.test(name)) next.push(...(await matches(folder, name)));
			// Not joined: that would take a name and a `..` behind it for nothing, whatever the name links to.
			else next.push(`${folder}${sep}${name}`);
			if (next.length > MAX_MATCHES) return null;
		}
		found = next;
	}
	return [...found, pattern];
}

async function matches(folder: string, pattern: string): Promise<string[]> {
	// What is not there or no folder has nothing in it that could match.
	const entries = await readdir(folder).catch((): string[] => []);
	return entries
		.filter((name) => matchesName(pattern, name) && (pattern.startsWith('.') || !name.startsWith('.')))
		.map((name) => join(folder, name));
}

/**
 * Brackets stand for anything here: too much is looked at, never too little. Only the last star is gone back to, so that no pattern
 * takes longer than its length times the name's.
 */
export function matchesName(pattern: string, name: string): boolean {
	if (pattern.includes('[')) return true;
	let at = 0;
	let star = -1;
	let reached = 0;
	for (let char = 0; char < name.length; char++) {
		if (pattern[at] === '*') {
			star = at++;
			reached = char--;
		} else if (pattern[at] === '?' || pattern[at] === name[char]) at++;
		else if (star < 0) return false;
		else {
			at = star + 1;
			char = reached++;
		}
	}
	return /^\**$/.test(pattern.slice(at));
}
