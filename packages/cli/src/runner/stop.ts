import { resolveHome } from '@roost/home/home';
import { removeRunnerFile } from '@roost/home/runner-file';
import { type EndOutcome, endProcess } from '@roost/machine/end-process';
import type { Identity } from '@roost/machine/process-identity';
import type { Result } from '@roost/protocol/result';

/** It is not restarted, unlike a runner that was killed. */
export async function takeDown(
	env: NodeJS.ProcessEnv,
	running: Identity,
	options: { graceMs?: number } = {},
): Promise<Result<EndOutcome>> {
	const home = resolveHome(env);
	if (!home.ok) return home;
	const stopped = await endProcess(running, options);
	if (!stopped.ok || stopped.value !== 'killed') return stopped;
	const removed = removeRunnerFile(home.value);
	return removed.ok ? stopped : removed;
}
