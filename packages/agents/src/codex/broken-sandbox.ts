// Detects a version of bubblewrap on the PATH that breaks sandboxed commands of Codex.
import { withoutRoost } from '@roost/core/runtime/child-environment';
import { findProgram } from '@roost/machine/find-program';
import { runProgram } from '@roost/machine/run-program';

const LIMIT_MS = 10_000;
const REMEDY = 'Install a newer bubblewrap, or remove this one: Codex brings its own.';

type Obstacle = { says: string; remedy: string };

/** Null where no problem is known. */
export async function findBrokenSandbox(env: NodeJS.ProcessEnv): Promise<Obstacle | null> {
	const path = findProgram('bwrap', env);
	if (path === null) return null;
	const ended = await runProgram([path, '--version'], { env: withoutRoost(env), limitMs: LIMIT_MS }).ended;
	if (!ended.ok || ended.value.stdout.trim() !== 'bubblewrap 0.8.0') return null;
	return { says: `${path} is bubblewrap 0.8.0, with which every sandboxed command of Codex fails`, remedy: REMEDY };
}
