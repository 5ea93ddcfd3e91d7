// Finds the project of a directory: the main worktree of its repository, so that all worktrees share rules and sessions.
import { realpath, stat } from 'node:fs/promises';
import { basename, dirname, isAbsolute, join, resolve } from 'node:path';
import { readText, statLink } from '@roost/machine/foreign-file';
import { type Git, runGit } from '@roost/machine/git';
import { AppError } from '@roost/protocol/app-error';
import { err, ok, type Result } from '@roost/protocol/result';

/** For untrusted input. */
export async function findProjectOf(given: string): Promise<Result<{ path: string }>> {
	const folder = await findFolder(given, 'cwd');
	return folder.ok ? ok(await findProject(folder.value)) : folder;
}

/** The real path of a folder; `field` is the name of the input. */
export async function findFolder(given: string, field: 'cwd' | 'project'): Promise<Result<string>> {
	const refused = err(new AppError('bad_request', `${field}: expected the absolute path of a folder that exists.`));
	if (!isAbsolute(given)) return refused;
	try {
		const path = await realpath(given);
		return (await stat(path)).isDirectory() ? ok(path) : refused;
	} catch {
		// The same answer if it is missing, unreadable, or not a valid path.
		return refused;
	}
}

export async function findProject(directory: string, git: Git = runGit): Promise<{ path: string }> {
	return { path: (await mainWorktree(directory, git)) ?? (await realpath(directory)) };
}

async function mainWorktree(directory: string, git: Git): Promise<string | null> {
	const here = await realpath(directory);
	if (await isMainWorktree(here)) return here;
	const found = await git(here, ['rev-parse', '--path-format=absolute', '--git-common-dir', '--git-dir']);
	// Not a repository, or git is not installed: the directory itself is the project.
	if (!found.ok) return null;
	const [common = '', own = '', ...more] = found.value.trimEnd().split('\n');
	const top = await topOf(here);
	if (top === null) return common;
	if (own === common || more.length > 0 || !(await isLinked({ top, common, own }))) return top;
	return basename(common) === '.git' ? dirname(common) : common;
}

/** The common case, decided without running git. */
async function isMainWorktree(directory: string): Promise<boolean> {
	const [folder, head, common] = await Promise.all(
		['.git', '.git/HEAD', '.git/commondir'].map((name) => statLink(join(directory, name))),
	);
	return folder?.isDirectory() === true && head?.isFile() === true && !common;
}

/** The nearest directory with a `.git`; null in a bare repository. */
async function topOf(directory: string): Promise<string | null> {
	if (await statLink(join(directory, '.git'))) return directory;
	const above = dirname(directory);
	return above === directory ? null : await topOf(above);
}

/**
 * Whether the main repository lists this worktree. A directory's own claim is not enough: any directory could pretend to be
 * a worktree of a trusted project and get its rules.
 */
async function isLinked({ top, common, own }: { top: string; common: string; own: string }): Promise<boolean> {
	if (dirname(own) !== join(common, 'worktrees')) return false;
	try {
		const known = await readText(join(own, 'gitdir'), { mostBytes: 8192 });
		return known.kind === 'text' && (await realpath(resolve(own, known.text.trimEnd()))) === join(top, '.git');
	} catch {
		// No such entry, or a dangling one.
		return false;
	}
}
