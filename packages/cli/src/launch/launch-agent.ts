// Starts the user's own agent in this terminal for one launch: the runner listens to it while it runs, and hears when it has ended.
import { describeRepository, type RepositoryFile } from '@roost/agents/repository/describe-repository';
import type { ApiClient } from '@roost/client/api-client';
import { observedEnvironment } from '@roost/core/runtime/child-environment';
import type { GateMode } from '@roost/core/runtime/gate-mode';
import { type Home, resolveHome } from '@roost/home/home';
import type { Argv } from '@roost/home/programs/find-agent';
import { readRunnerState } from '@roost/home/runner-file';
import { realTimers, steadyNow } from '@roost/machine/timers';
import type { LaunchEnded, LaunchOpened } from '@roost/protocol/api/launches';
import { AppError } from '@roost/protocol/app-error';
import { err, ok, type Result } from '@roost/protocol/result';
import { type KeeperDeps, keepRunnerUp, type RunnerKeeper } from '../runner/keep-runner-up.ts';
import { runChild } from './run-child.ts';

export type LaunchOptions = {
	args: readonly string[];
	env: NodeJS.ProcessEnv;
	cwd: string;
	enforce: boolean;
	/** The runner that will listen; asked for only when there is something to listen to. */
	reach: () => Promise<Result<ApiClient['launches']>>;
	/** Called when the agent is about to start; a headless one has no dialog of its own to ask in. Disposed of when it has ended. */
	watch: (launch: Pick<LaunchOpened, 'launchId'> & { headless: boolean }) => AsyncDisposable;
	/** One sentence for the user. */
	say: (sentence: string) => void;
};

/** What differs between agents: whether anybody sits in front of it, and how it is started so that it reports. */
export type Launching = {
	agent: string;
	gate: GateMode;
	headless: boolean;
	/** Where it works. */
	folder: string;
	/** Where the repository can configure it. */
	repository: readonly RepositoryFile[];
	/** What the session says of how it was started. */
	notices?: readonly string[] | undefined;
	start(launch: LaunchOpened, home: Home): Promise<Result<{ exitCode: number }>>;
};

export async function launchAgent(launching: Launching, options: LaunchOptions): Promise<Result<{ exitCode: number }>> {
	const { agent, gate, headless, folder, notices = [] } = launching;
	const home = resolveHome(options.env);
	if (!home.ok) return home;
	const launches = await options.reach();
	if (!launches.ok) return launches;
	const repository = await describeRepository(launching.repository, folder);
	const opened = await launches.value.open({
		...{ agent, cwd: options.cwd, gate, headless, pid: process.pid, repository },
		...(notices.length > 0 ? { notices: [...notices] } : {}),
	});
	if (!opened.ok) return opened;
	if (repository.length > 0) options.say(`this repository configures ${agent}; ${EFFECT[gate]}:`);
	for (const line of repository) options.say(`  ${line}`);
	await using _watch = options.watch({ headless, launchId: opened.value.launchId });
	const state = () => readRunnerState(home.value);
	const keeper = keepRunnerUp({ state, start: options.reach, timers: realTimers, now: steadyNow });
	try {
		return await launching.start(opened.value, home.value);
	} finally {
		await keeper[Symbol.asyncDispose]();
		sayEnd(await endLaunch(opened.value.launchId, { reach: options.reach, state, keeper }), launching, options.say);
	}
}

const EFFECT: Readonly<Record<GateMode, string>> = {
	observe: `what it allows or runs there is not decided by Roost`,
	enforce: `it allows nothing, because Roost decides on every call`,
};

type Ending = Pick<LaunchOptions, 'reach'> & Pick<KeeperDeps, 'state'> & { keeper: RunnerKeeper };

/** Told to the runner that is there now: one that was killed comes back for it, one that was ended does not. */
async function endLaunch(launchId: string, { reach, state, keeper }: Ending): Promise<Result<LaunchEnded>> {
	const problem = keeper.problem();
	if (problem) return err(new AppError('cannot_start', problem));
	const runner = state();
	if (!runner.ok) return runner;
	if (runner.value === 'ended') return err(new AppError('not_found', 'it was stopped'));
	const launches = await reach();
	return launches.ok ? launches.value.end({ id: launchId }) : launches;
}

function sayEnd(ended: Result<LaunchEnded>, { agent, headless }: Launching, say: LaunchOptions['say']): void {
	const session = ended.ok ? ended.value.sessionId : null;
	if (!ended.ok) say(`the runner is gone: what ${agent} did since then is not on record (${ended.error.message})`);
	else if (session && !headless) say(`on record as session ${session}; see it with "roost feed ${session}".`);
}

/** In this terminal, to its end. Of Roost's own variables it gets those of its hooks alone. */
export async function runHere(
	[program, ...first]: Argv,
	args: readonly string[],
	{ env, cwd, hooks = {} }: Pick<LaunchOptions, 'env' | 'cwd'> & { hooks?: Readonly<Record<string, string>> },
): Promise<Result<{ exitCode: number }>> {
	const child = { command: program, args: [...first, ...args], env: { ...observedEnvironment(env), ...hooks }, cwd };
	const exit = await runChild(child);
	return exit.ok ? ok({ exitCode: exit.value }) : exit;
}
