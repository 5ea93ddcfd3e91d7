// Whether git tracks a file, asked in a way that runs nothing a repository configures.
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

const run = promisify(execFile);

const SAFE = ['-c', 'core.hooksPath=/dev/null', '-c', 'core.fsmonitor=', '-c', 'protocol.ext.allow=never'];

/** False as well where there is no repository or no git. */
export async function isTrackedByGit(directory: string, path: string): Promise<boolean> {
	try {
		await run('git', [...SAFE, '-C', directory, 'ls-files', '--error-unmatch', '--', path], { timeout: 5_000 });
		return true;
	} catch {
		// Not tracked, not a repository, or no git on this machine: nothing to warn of.
		return false;
	}
}
