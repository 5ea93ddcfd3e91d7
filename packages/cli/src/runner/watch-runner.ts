// For a face that stays open: how the runner is, and a new start for one that was killed.

import { resolveHome } from '@roost/home/home';
import { readRunnerState } from '@roost/home/runner-file';
import { realTimers, steadyNow } from '@roost/machine/timers';
import { ok, type Result } from '@roost/protocol/result';
import { keepRunnerUp } from './keep-runner-up.ts';
import { reachRunner } from './reach.ts';

export type RunnerWatch = AsyncDisposable & {
	/** `ended`: in order, and by somebody's wish; it is left alone. */
	state(): 'up' | 'ended' | 'killed';
	/** Why it could not be started again. */
	problem(): string | null;
};

export function watchRunner(options: { env: NodeJS.ProcessEnv; start: readonly [string, ...string[]] }): Result<RunnerWatch> {
	const home = resolveHome(options.env);
	if (!home.ok) return home;
	const state = () => readRunnerState(home.value);
	const keeper = keepRunnerUp({ state, start: () => reachRunner(options), timers: realTimers, now: steadyNow });
	return ok({
		state() {
			const seen = state();
			return seen.ok ? seen.value : 'ended';
		},
		problem: keeper.problem,
		[Symbol.asyncDispose]: () => keeper[Symbol.asyncDispose](),
	});
}
