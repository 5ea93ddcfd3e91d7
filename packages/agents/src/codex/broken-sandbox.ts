// Codex sandboxes commands with the bubblewrap on the PATH, and one version of it cannot start what Codex gives it.
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { withoutRoost } from '@roost/core/runtime/child-environment';
import { findProgram } from '@roost/machine/find-program';

const run = promisify(execFile);
const TIMEOUT_MS = 10_000;
const REMEDY = 'Install a newer bubblewrap, or remove this one: Codex brings its own.';

type Obstacle = { says: string; remedy: string };

/** Null where nothing is known to be wrong. */
export async function findBrokenSandbox(env: NodeJS.ProcessEnv): Promise<Obstacle | null> {
	const path = findProgram('bwrap', env);
	if (path === null) return null;
	try {
		const { stdout } = await run(path, ['--version'], { env: withoutRoost(env), timeout: TIMEOUT_MS });
		if (stdout.trim() !== 'bubblewrap 0.8.0') return null;
		return { says: `${path} is bubblewrap 0.8.0, with which every sandboxed command of Codex fails`, remedy: REMEDY };
	} catch {
		// One that does not even tell its version is for Codex to judge.
		return null;
	}
}
