// A project is the main worktree of the repository a directory belongs to, so that all worktrees share rules and sessions.
import { execFile } from 'node:child_process';
import { realpath } from 'node:fs/promises';
import { basename, dirname } from 'node:path';
import { promisify } from 'node:util';
import type { ProjectId } from '@roost/protocol/ids';

const run = promisify(execFile);

/** Nothing a repository configures may run while we look at it. */
const SAFE = ['-c', 'core.hooksPath=/dev/null', '-c', 'core.fsmonitor=', '-c', 'protocol.ext.allow=never'];

export async function findProject(directory: string): Promise<{ id: ProjectId; path: string }> {
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
