// A project is the main worktree of the repository a directory belongs to, so that all worktrees share rules and sessions.
import { lstat, realpath, stat } from 'node:fs/promises';
import { basename, dirname, isAbsolute, join } from 'node:path';
import { AppError } from '@roost/protocol/app-error';
import type { ProjectId } from '@roost/protocol/ids';
import { err, ok, type Result } from '@roost/protocol/result';
import { type Git, runGit } from './git.ts';

export type Project = { id: ProjectId; path: string };

/** For a directory that came from outside. */
export async function findProjectOf(given: string): Promise<Result<Project>> {
	const refused = err(new AppError('bad_request', 'cwd: expected the absolute path of a folder that exists.'));
	if (!isAbsolute(given)) return refused;
	try {
		return (await stat(given)).isDirectory() ? ok(await findProject(given)) : refused;
	} catch {
		// Missing, not ours to read, or no path at all: whoever named it hears the same.
		return refused;
	}
}

export async function findProject(directory: string, git: Git = runGit): Promise<Project> {
	const path = (await mainWorktree(directory, git)) ?? (await realpath(directory));
	return { id: path as ProjectId, path };
}

async function mainWorktree(directory: string, git: Git): Promise<string | null> {
	if (await isMainWorktree(directory)) return await realpath(directory);
	const found = await git(directory, ['rev-parse', '--path-format=absolute', '--git-common-dir']);
	// Not a repository, or no git on this machine: the directory itself is the project.
	if (!found.ok) return null;
	const common = found.value.replace(/\n$/, '');
	return basename(common) === '.git' ? dirname(common) : common;
}

/** Most directories show it plainly, and git need not be asked. */
async function isMainWorktree(directory: string): Promise<boolean> {
	// What is not there, or not ours to see, is no sign of one; git is asked then.
	const [folder, head, common] = await Promise.all(
		['.git', '.git/HEAD', '.git/commondir'].map((name) => lstat(join(directory, name)).catch(() => null)),
	);
	return folder?.isDirectory() === true && head?.isFile() === true && !common;
}
