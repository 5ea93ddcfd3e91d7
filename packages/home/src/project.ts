// A project is the main worktree of the repository a directory belongs to, so that all worktrees share rules and sessions.
import { realpath, stat } from 'node:fs/promises';
import { basename, dirname, isAbsolute, join, resolve } from 'node:path';
import { readText } from '@roost/machine/foreign-file';
import { type Git, runGit } from '@roost/machine/git';
import { statLink } from '@roost/machine/stat-path';
import { AppError } from '@roost/protocol/app-error';
import { err, ok, type Result } from '@roost/protocol/result';

/** The runner gives it an id: only it knows whether the project has one already. */
export type ProjectFolder = { path: string };

/** For a directory that came from outside. */
export async function findProjectOf(given: string): Promise<Result<ProjectFolder>> {
	const refused = err(new AppError('bad_request', 'cwd: expected the absolute path of a folder that exists.'));
	if (!isAbsolute(given)) return refused;
	try {
		return (await stat(given)).isDirectory() ? ok(await findProject(given)) : refused;
	} catch {
		// Missing, not ours to read, or no path at all: whoever named it hears the same.
		return refused;
	}
}

export async function findProject(directory: string, git: Git = runGit): Promise<ProjectFolder> {
	return { path: (await mainWorktree(directory, git)) ?? (await realpath(directory)) };
}

async function mainWorktree(directory: string, git: Git): Promise<string | null> {
	const here = await realpath(directory);
	if (await isMainWorktree(here)) return here;
	const found = await git(here, ['rev-parse', '--path-format=absolute', '--git-common-dir', '--git-dir']);
	// Not a repository, or no git on this machine: the directory itself is the project.
	if (!found.ok) return null;
	const [common = '', own = '', ...more] = found.value.trimEnd().split('\n');
	const top = await topOf(here);
	if (top === null) return common;
	if (own === common || more.length > 0 || !(await isLinked({ top, common, own }))) return top;
	return basename(common) === '.git' ? dirname(common) : common;
}

/** Most directories show it plainly, and git need not be asked. */
async function isMainWorktree(directory: string): Promise<boolean> {
	const [folder, head, common] = await Promise.all(
		['.git', '.git/HEAD', '.git/commondir'].map((name) => statLink(join(directory, name))),
	);
	return folder?.isDirectory() === true && head?.isFile() === true && !common;
}

/** The nearest directory that has a `.git`; null in a bare repository. */
async function topOf(directory: string): Promise<string | null> {
	if (await statLink(join(directory, '.git'))) return directory;
	const above = dirname(directory);
	return above === directory ? null : await topOf(above);
}

/**
 * Whether the main repository knows this worktree. What a directory says of itself is not enough: any could claim to be a
 * worktree of a trusted project, and its rules would hold there.
 */
async function isLinked({ top, common, own }: { top: string; common: string; own: string }): Promise<boolean> {
	if (dirname(own) !== join(common, 'worktrees')) return false;
	try {
		const known = await readText(join(own, 'gitdir'), { mostBytes: 8192 });
		return known.kind === 'text' && (await realpath(resolve(own, known.text.trimEnd()))) === join(top, '.git');
	} catch {
		// No such entry, or one that leads nowhere: nobody knows this worktree.
		return false;
	}
}
