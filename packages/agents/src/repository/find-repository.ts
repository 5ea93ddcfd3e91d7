// Finds the repository of a folder without running git, so that nothing a repository configures takes effect.
import { lstat, readFile, realpath } from 'node:fs/promises';
import { basename, dirname, join, relative, resolve, sep } from 'node:path';

export type Repository = {
	/** Top of the checkout, or the folder itself without a repository. */
	root: string;
	/** The main worktree; trust is stored for it. */
	project: string;
};

/** The folder must exist. */
export async function findRepository(cwd: string): Promise<Repository> {
	const start = await realpath(cwd);
	for (const root of upwards(start)) {
		const mark = await lstat(join(root, '.git')).catch(whenMissing);
		if (mark?.isDirectory()) return { root, project: root };
		if (mark?.isFile()) return { root, project: await mainWorktreeOf(root) };
	}
	return { root: start, project: start };
}

/** From `top` down to `bottom`, inclusive; `bottom` alone where it is not below `top`. */
export function foldersBetween(top: string, bottom: string): string[] {
	if (!isWithin(bottom, top)) return [bottom];
	const parts = relative(top, bottom).split(sep).filter(Boolean);
	return [top, ...parts.map((_part, at) => join(top, ...parts.slice(0, at + 1)))];
}

/** By whole names, so that a sibling with the same prefix does not match. */
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

async function mainWorktreeOf(root: string): Promise<string> {
	const linked = await findLinkedWorktree(root);
	if (!linked) return root;
	return basename(linked.shared) === '.git' ? dirname(linked.shared) : linked.shared;
}

/** Git's folders for a linked worktree. A checkout may claim any repository: only one that links back is accepted. */
export async function findLinkedWorktree(root: string): Promise<{ own: string; shared: string } | undefined> {
	const link = join(root, '.git');
	const named = /^gitdir: (.+)$/m.exec(await readShort(link))?.[1];
	if (named === undefined) return undefined;
	const own = await realpath(resolve(root, named)).catch(whenMissing);
	if (own === undefined) return undefined;
	const back = (await readShort(join(own, 'gitdir'))).trim();
	const common = (await readShort(join(own, 'commondir'))).trim();
	if (back === '' || common === '' || (await real(resolve(own, back))) !== link) return undefined;
	const shared = await realpath(resolve(own, common)).catch(whenMissing);
	// Elsewhere they may be part of the checkout.
	return shared !== undefined && dirname(own) === join(shared, 'worktrees') ? { own, shared } : undefined;
}

/** Git writes one path into such a file. */
async function readShort(path: string): Promise<string> {
	const found = await lstat(path).catch(whenMissing);
	return found?.isFile() && found.size < 8192 ? await readFile(path, 'utf8').catch(() => '') : '';
}

/** Resolves the folder but not the name, which must not be a link. */
async function real(path: string): Promise<string | undefined> {
	const folder = await realpath(dirname(path)).catch(whenMissing);
	return folder === undefined ? undefined : join(folder, basename(path));
}

function whenMissing(): undefined {
	return undefined;
}
