// The repository a folder belongs to, found by looking and without running git: nothing that a repository configures takes part.
import { lstat, readFile, realpath } from 'node:fs/promises';
import { basename, dirname, join, relative, resolve, sep } from 'node:path';

export type Repository = {
	/** The top of the checkout, or the folder itself where there is no repository. */
	root: string;
	/** The main worktree, which all worktrees share; trust and the user's choices are kept for it. */
	project: string;
};

/** For a folder that exists. */
export async function findRepository(cwd: string): Promise<Repository> {
	const start = await realpath(cwd);
	for (const root of upwards(start)) {
		const mark = await lstat(join(root, '.git')).catch(whenMissing);
		if (mark?.isDirectory()) return { root, project: root };
		if (mark?.isFile()) return { root, project: await mainWorktreeOf(root) };
	}
	return { root: start, project: start };
}

/** The folders from `top` down to `bottom`, both included; `bottom` alone where it does not lie below `top`. */
export function foldersBetween(top: string, bottom: string): string[] {
	if (!isWithin(bottom, top)) return [bottom];
	const parts = relative(top, bottom).split(sep).filter(Boolean);
	return [top, ...parts.map((_part, at) => join(top, ...parts.slice(0, at + 1)))];
}

/** Whether a path is that folder or lies in it; by whole names, so that a sibling with the same beginning does not. */
export function isWithin(path: string, folder: string): boolean {
	const way = relative(folder, path);
	return way !== '..' && !way.startsWith(`..${sep}`) && resolve(folder, way) === resolve(path);
}

function* upwards(start: string): Generator<string> {
	for (let folder = start; ; folder = dirname(folder)) {
		yield folder;
		if (folder === dirname(folder)) return;
	}
}

/** A checkout may claim to belong to any repository, so only one that the repository itself knows of is believed. */
async function mainWorktreeOf(root: string): Promise<string> {
	const link = join(root, '.git');
	const named = /^gitdir: (.+)$/m.exec(await readShort(link))?.[1];
	if (named === undefined) return root;
	const own = await realpath(resolve(root, named)).catch(whenMissing);
	if (own === undefined) return root;
	const back = (await readShort(join(own, 'gitdir'))).trim();
	const common = (await readShort(join(own, 'commondir'))).trim();
	if (back === '' || common === '' || (await real(resolve(own, back))) !== link) return root;
	const shared = await realpath(resolve(own, common)).catch(whenMissing);
	// Notes that lie elsewhere than in the repository may be part of the checkout, and of its claim.
	if (shared === undefined || dirname(own) !== join(shared, 'worktrees')) return root;
	return basename(shared) === '.git' ? dirname(shared) : shared;
}

/** Git writes one path into such a file; anything else says nothing. */
async function readShort(path: string): Promise<string> {
	const found = await lstat(path).catch(whenMissing);
	return found?.isFile() && found.size < 8192 ? await readFile(path, 'utf8').catch(() => '') : '';
}

/** The folder is resolved, the name itself is not: a link that stands for the mark is not the mark. */
async function real(path: string): Promise<string | undefined> {
	const folder = await realpath(dirname(path)).catch(whenMissing);
	return folder === undefined ? undefined : join(folder, basename(path));
}

/** What cannot be looked at is no repository of ours. */
function whenMissing(): undefined {
	return undefined;
}
