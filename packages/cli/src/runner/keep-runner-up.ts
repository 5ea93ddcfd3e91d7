// Restarts a runner that was killed; one that was stopped is left alone.
import { resolveHome } from '@roost/home/home';
import { readRunnerState } from '@roost/home/runner-file';
import { realTimers, steadyNow, type Timers } from '@roost/machine/timers';
import { ok, type Result } from '@roost/protocol/result';
import { reachRunner } from './reach.ts';

export type RunnerKeeper = AsyncDisposable & {
	/** Why the runner is no longer restarted. */
	problem(): string | null;
};

export type KeeperDeps = {
	state: () => Result<'up' | 'ended' | 'killed'>;
	start: () => Promise<Result<unknown>>;
	timers: Timers;
	now: () => number;
};

const LOOK_MS = 1_000;
const LONGEST_PAUSE_MS = 30_000;
/** A runner that stays up this long resets the count of restarts. */
const SOUND_MS = 60_000;
const MAX_STARTS = 6;

export function keepRunnerUp({ state, start, timers, now }: KeeperDeps): RunnerKeeper {
	let starts = 0;
	let lastStart = now();
	let problem: string | null = null;
	let starting: Promise<void> = Promise.resolve();
	let cancel = timers.after(LOOK_MS, look);
	let isOver = false;

	function look(): void {
		const seen = state();
		if (seen.ok && seen.value === 'killed') restart();
		else cancel = timers.after(LOOK_MS, look);
	}

	function restart(): void {
		if (now() - lastStart > SOUND_MS) starts = 0;
		if (starts === MAX_STARTS) {
			problem ??= `the runner was killed ${starts} times and is not restarted`;
			return;
		}
		const pause = starts === 0 ? 0 : Math.min(LOOK_MS * 2 ** (starts - 1), LONGEST_PAUSE_MS);
		starts += 1;
		cancel = timers.after(pause, () => {
			starting = startOnce();
		});
	}

	async function startOnce(): Promise<void> {
		// The runner may have been started or stopped during the pause.
		const seen = state();
		const started = seen.ok && seen.value === 'killed' ? await start() : seen;
		problem = started.ok ? null : started.error.message;
		lastStart = now();
		if (!isOver) cancel = timers.after(LOOK_MS, look);
	}

	return {
		problem: () => problem,
		async [Symbol.asyncDispose]() {
			isOver = true;
			cancel();
			await starting;
		},
	};
}

type RunnerWatch = AsyncDisposable & {
	/** `ended`: stopped on request, so it is not restarted. */
	state(): 'up' | 'ended' | 'killed';
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
