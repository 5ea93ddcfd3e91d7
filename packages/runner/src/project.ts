// A project is the main worktree of the repository a directory belongs to, so that all worktrees share rules and sessions.
import { execFile } from 'node:child_process';
import { realpath, stat } from 'node:fs/promises';
import { basename, dirname, isAbsolute } from 'node:path';
import { promisify } from 'node:util';
import { AppError } from '@roost/protocol/app-error';
import type { ProjectId } from '@roost/protocol/ids';
import { err, ok, type Result } from '@roost/protocol/result';

const run = promisify(execFile);

/** Nothing a repository configures may run while we look at it. */
const SAFE = ['-c', 'core.hooksPath=/dev/null', '-c', 'core.fsmonitor=', '-c', 'protocol.ext.allow=never'];

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

export async function findProject(directory: string): Promise<Project> {
	const path = (await mainWorktree(directory)) ?? (await realpath(directory));
	return { id: path as ProjectId, path };
}

async function mainWorktree(directory: string): Promise<string | null> {
	try {
		const args = [...SAFE, '-C', directory, 'rev-parse', '--path-format=absolute', '--git-common-dir'];
		const { stdout } = await run('git', args, { encoding: 'utf8', timeout: 5_000 });
		const common = stdout.trim();
		return basename(common) === '.git' ? dirname(common) : common;
	} catch {
		// Not a repository, or no git on this machine: the directory itself is the project.
		return null;
	}
}
