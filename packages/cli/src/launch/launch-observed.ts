// roost <agent>: starts the user's own agent with what makes it report, for this launch only.

import { spawn } from 'node:child_process';
import { mkdir, rm } from 'node:fs/promises';
import { constants } from 'node:os';
import { join, resolve } from 'node:path';
import type { AgentId } from '@roost/agents/base/agent-names';
import { UNSTATED_ASK_MS } from '@roost/agents/base/ask-timeouts';
import { hookEnvironment } from '@roost/agents/hooks/hook-environment';
import type { Forwarder, Launchable } from '@roost/agents/kind/observed-kind';
import { findKind } from '@roost/agents/kinds';
import { describeRepository } from '@roost/agents/repository/describe-repository';
import type { RepositoryFile } from '@roost/agents/repository/repository-files';
import type { ApiClient } from '@roost/client/api-client';
import { toSentence } from '@roost/core/display/sentence';
import { programFile } from '@roost/core/process/program-files';
import { observedEnvironment } from '@roost/core/runtime/child-environment';
import type { GateMode } from '@roost/core/runtime/gate-mode';
import { loadConfig } from '@roost/home/config/load-config';
import { type Home, resolveHome } from '@roost/home/home';
import { createMcpTrust } from '@roost/home/mcp-trust';
import { type Argv, findAgent } from '@roost/home/programs/find-agent';
import { readRunnerState } from '@roost/home/runner-file';
import { newShortId } from '@roost/home/short-id';
import { realTimers, steadyNow } from '@roost/machine/timers';
import type { LaunchEnded, LaunchOpened } from '@roost/protocol/api/launches';
import { AppError } from '@roost/protocol/app-error';
import { err, ok, type Result } from '@roost/protocol/result';
import { type KeeperDeps, keepRunnerUp, type RunnerKeeper } from '../runner/keep-runner-up.ts';

export async function launchObserved(agent: AgentId, options: LaunchOptions): Promise<Result<{ exitCode: number }>> {
	const config = loadConfig({ env: options.env, flags: { enforce: options.enforce } });
	if (!config.ok) return config;
	const kind = findKind(agent);
	if (!kind?.observed) return err(new AppError('usage', `${agent} cannot be observed in a terminal.`));
	const { launch: launchable, repository } = kind.observed;
	const { command: configured, env: added = {} } = config.value.agents[agent] ?? {};
	const command = findAgent(kind.known, configured, options.env);
	if (!command.ok) return command;
	const own = { ...options, env: { ...options.env, ...added } };
	const gate = config.value.gate.mode;
	const read = await launchable.read({ ...own, gate });
	if (!read.ok) return read;
	const { headless, managementOnly, folder = '', says = [], notices } = read.value;
	if (managementOnly) return await runHere(command.value, options.args, own);
	for (const sentence of says) options.say(sentence);
	const start = (launch: LaunchOpened, home: Home) =>
		govern({ agent, launchable, command: command.value, gate, launch, home }, own);
	const launching = { agent, gate, headless, folder: resolve(options.cwd, folder), repository, notices, start };
	return await launchAgent(launching, own);
}

type Governed = { agent: AgentId; launchable: Launchable; command: Argv; gate: GateMode; launch: LaunchOpened; home: Home };

async function govern(governed: Governed, options: LaunchOptions): Promise<Result<{ exitCode: number }>> {
	const { agent, launchable, command, gate, launch, home } = governed;
	const dir = join(home.run, `${agent}-${newShortId()}`);
	await mkdir(dir, { mode: 0o700 });
	try {
		const { args, cwd, env } = options;
		const prepared = await launchable.prepare(
			{ args, gate, cwd, command, env, dir, forwarder: launchForwarder(launch.hooks) },
			{ hooks: launch.hooks, isTrusted: createMcpTrust(home).isTrusted },
		);
		if (!prepared.ok) return prepared;
		for (const sentence of prepared.value.says) options.say(sentence);
		const hooks = hookEnvironment({ ...launch.hooks, gate, session: launch.sessionId });
		return await runHere(command, prepared.value.argv, { ...options, hooks });
	} finally {
		await rm(dir, { recursive: true, force: true });
	}
}

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
type Launching = {
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

async function launchAgent(launching: Launching, options: LaunchOptions): Promise<Result<{ exitCode: number }>> {
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
async function runHere(
	[program, ...first]: Argv,
	args: readonly string[],
	{ env, cwd, hooks = {} }: Pick<LaunchOptions, 'env' | 'cwd'> & { hooks?: Readonly<Record<string, string>> },
): Promise<Result<{ exitCode: number }>> {
	const child = { command: program, args: [...first, ...args], env: { ...observedEnvironment(env), ...hooks }, cwd };
	const exit = await runChild(child);
	return exit.ok ? ok({ exitCode: exit.value }) : exit;
}

export function launchForwarder({ askMs = UNSTATED_ASK_MS }: LaunchOpened['hooks']): Forwarder {
	return { node: process.execPath, script: programFile('forwarder'), askMs };
}

type ChildOptions = { command: string; args: readonly string[]; env: NodeJS.ProcessEnv; cwd: string };

const PASSED_ON = ['SIGTERM', 'SIGHUP'] as const;
const GRACE_MS = 3_000;

function runChild(options: ChildOptions): Promise<Result<number>> {
	return new Promise((resolve) => {
		const child = spawn(options.command, [...options.args], { env: options.env, cwd: options.cwd, stdio: 'inherit' });
		let mercy: NodeJS.Timeout | undefined;
		const passOn = (signal: NodeJS.Signals) => {
			child.kill(signal);
			mercy ??= setTimeout(() => child.kill('SIGKILL'), GRACE_MS).unref();
		};
		// The terminal sends Ctrl-C to the agent too, and there it means "stop this turn": we must outlast it.
		const ignore = () => {};
		process.on('SIGINT', ignore);
		for (const signal of PASSED_ON) process.on(signal, passOn);

		function finish(result: Result<number>): void {
			clearTimeout(mercy);
			process.off('SIGINT', ignore);
			for (const signal of PASSED_ON) process.off(signal, passOn);
			resolve(result);
		}
		child.once('error', (cause) =>
			finish(err(new AppError('cannot_start', toSentence(`${options.command} cannot be started: ${cause.message}`), { cause }))),
		);
		child.once('exit', (code, signal) => finish(ok(code ?? 128 + (signal ? constants.signals[signal] : 0))));
	});
}
