// roost claude: starts the user's own claude with Roost's hooks for this launch only; the runner listens to them.
import { unlink } from 'node:fs/promises';
import { writeLaunchSettings } from '@roost/agents/claude/hooks/settings';
import { type ClaudeArgs, hookEnvironment, readClaudeArgs, toClaudeArgv } from '@roost/agents/claude/launch';
import { realTimers } from '@roost/agents/timers';
import type { LaunchesApi } from '@roost/client/api-client';
import type { GateMode } from '@roost/core/runtime/gate-mode';
import type { LaunchEnded, LaunchOpened } from '@roost/protocol/api/launches';
import { AppError } from '@roost/protocol/app-error';
import { err, ok, type Result } from '@roost/protocol/result';
import { type Argv, findClaude } from '../claude-cli/find-claude.ts';
import { loadConfig } from '../config/load-config.ts';
import { readGate } from '../gate.ts';
import { resolveHome } from '../home.ts';
import { readRunnerState } from '../life/runner-file.ts';
import { newShortId } from '../short-id.ts';
import { type KeeperDeps, keepRunnerUp, type RunnerKeeper } from './keep-runner-up.ts';
import { launchHooks, mergeSettings, readUserSettings } from './launch-settings.ts';
import { runChild } from './run-child.ts';

export type LaunchOptions = {
	args: readonly string[];
	env: NodeJS.ProcessEnv;
	cwd: string;
	enforce: boolean;
	/** The runner that will listen; asked for only when there is something to listen to. */
	reach: () => Promise<Result<LaunchesApi>>;
	/** Called when the agent is about to start; a headless one has no dialog of its own to ask in. Disposed of when it has ended. */
	watch: (launch: { headless: boolean }) => AsyncDisposable;
	/** One sentence for the user. */
	say: (sentence: string) => void;
};

export async function launchClaude(options: LaunchOptions): Promise<Result<{ exitCode: number }>> {
	const config = loadConfig({ env: options.env });
	if (!config.ok) return config;
	const { command: configured, env: added = {} } = config.value.agents.claude ?? {};
	const found = findClaude(configured, options.env);
	if (!found.ok) return found;
	return await launch(found.value, { ...options, env: { ...options.env, ...added } });
}

async function launch(command: Argv, options: LaunchOptions): Promise<Result<{ exitCode: number }>> {
	const read = readClaudeArgs(options.args);
	if (read.managementOnly) return run(command, [...options.args], options.env, options.cwd);
	const gate = readGate(options.env, options.enforce);
	if (!gate.ok) return gate;
	const problem = advise(read, gate.value, options.say);
	if (problem) return err(problem);
	const home = resolveHome(options.env);
	if (!home.ok) return home;
	const launches = await options.reach();
	if (!launches.ok) return launches;
	const opened = await launches.value.open({
		agent: 'claude',
		cwd: options.cwd,
		gate: gate.value,
		headless: read.headless,
		pid: process.pid,
	});
	if (!opened.ok) return opened;
	await using _watch = options.watch({ headless: read.headless });
	const state = () => readRunnerState(home.value);
	const keeper = keepRunnerUp({ state, start: options.reach, timers: realTimers, now: Date.now });
	try {
		return await govern({ command, read, gate: gate.value, runDir: home.value.run, launch: opened.value }, options);
	} finally {
		await keeper[Symbol.asyncDispose]();
		const ended = await endLaunch(opened.value.launchId, { reach: options.reach, state, keeper });
		sayEnd(ended, read, options.say);
	}
}

type Governed = { command: Argv; read: ClaudeArgs; gate: GateMode; runDir: string; launch: LaunchOpened };

async function govern(launching: Governed, options: LaunchOptions): Promise<Result<{ exitCode: number }>> {
	const { command, read, gate, launch } = launching;
	const settingsPath = await writeSettings(launching, options);
	if (!settingsPath.ok) return settingsPath;
	try {
		const hooks = hookEnvironment({ ...launch.hooks, gate, session: launch.sessionId });
		return await run(command, toClaudeArgv(read, settingsPath.value), { ...options.env, ...hooks }, options.cwd);
	} finally {
		await unlink(settingsPath.value);
	}
}

type Ending = Pick<LaunchOptions, 'reach'> & Pick<KeeperDeps, 'state'> & { keeper: RunnerKeeper };

/** Told to the runner that is there now: one that was killed comes back for it, one that was ended does not. */
async function endLaunch(launchId: string, { reach, state, keeper }: Ending): Promise<Result<LaunchEnded>> {
	const problem = keeper.problem();
	if (problem) return err(new AppError('cannot_start', problem));
	const runner = state();
	if (!runner.ok) return runner;
	if (runner.value === 'ended') return err(new AppError('not_found', 'it was ended meanwhile'));
	const launches = await reach();
	return launches.ok ? launches.value.end(launchId) : launches;
}

function sayEnd(ended: Result<LaunchEnded>, read: ClaudeArgs, say: LaunchOptions['say']): void {
	const session = ended.ok ? ended.value.sessionId : null;
	if (!ended.ok) say(`the runner is gone: what claude did since then is not on record (${ended.error.message})`);
	else if (session && !read.headless) say(`on record as session ${session}; see it with "roost feed ${session}".`);
}

async function writeSettings({ read, gate, runDir, launch }: Governed, options: LaunchOptions): Promise<Result<string>> {
	const user = await readUserSettings(read.userSettings, options.cwd);
	if (!user.ok) return user;
	const ours = launchHooks(launch.hooks, gate, options.env);
	return writeLaunchSettings(runDir, mergeSettings(user.value, ours), `claude-${newShortId()}.json`);
}

/** What the user should know before the screen belongs to claude; an error where the gate could not hold. */
function advise(read: ClaudeArgs, gate: GateMode, say: LaunchOptions['say']): AppError | null {
	if (read.skipsHooks && gate === 'enforce') {
		return new AppError(
			'usage',
			'--bare and --safe-mode switch every hook off, so nothing could be enforced: leave them out, or leave out --enforce.',
		);
	}
	if (read.skipsHooks) say('--bare and --safe-mode switch every hook off: this session will not be on record.');
	if (!read.namesPermissionMode)
		say('added --permission-mode manual, so that claude asks before it acts; name a mode yourself to change that.');
	return null;
}

async function run(
	[program, ...first]: Argv,
	args: readonly string[],
	env: NodeJS.ProcessEnv,
	cwd: string,
): Promise<Result<{ exitCode: number }>> {
	const exit = await runChild({ command: program, args: [...first, ...args], env, cwd });
	return exit.ok ? ok({ exitCode: exit.value }) : exit;
}
