// Whether git tracks a file or would, asked in a way that runs nothing a repository configures.
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { withoutRoost } from '@roost/core/runtime/child-environment';

const run = promisify(execFile);

const SAFE = ['-c', 'core.hooksPath=/dev/null', '-c', 'core.fsmonitor=', '-c', 'protocol.ext.allow=never'];

/** False as well where there is no repository or no git. */
export async function isTrackedByGit(directory: string, path: string): Promise<boolean> {
	return (await exitCode(directory, ['ls-files', '--error-unmatch', '--', path])) === 0;
}

/** Whether the next "git add" of everything would take it along. */
export async function isOpenToGit(directory: string, path: string): Promise<boolean> {
	return (await exitCode(directory, ['check-ignore', '--quiet', '--', path])) === NOT_IGNORED;
}

const NOT_IGNORED = 1;

/** Null where git could not be run at all. */
async function exitCode(directory: string, args: readonly string[]): Promise<number | null> {
	try {
		await run('git', [...SAFE, '-C', directory, ...args], { env: withoutRoost(process.env), timeout: 5_000 });
		return 0;
	} catch (error) {
		// Not tracked, not ignored, not a repository, or no git on this machine: the code tells.
		return error instanceof Error && 'code' in error && typeof error.code === 'number' ? error.code : null;
	}
}
