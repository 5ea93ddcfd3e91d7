// roost <agent>: starts the user's own agent so that it reports to Roost, for this launch only.
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
import type { ApiClient } from '@roost/client/api-client';
import { toSentence } from '@roost/core/display/sentence';
import { programFile } from '@roost/core/process/program-files';
import { observedEnvironment } from '@roost/core/runtime/child-environment';
import type { GateMode } from '@roost/core/runtime/gate-mode';
import { loadConfig } from '@roost/home/config/load-config';
import { type Home, resolveHome } from '@roost/home/home';
import { createMcpTrust } from '@roost/home/mcp-trust';
import { type Argv, findAgent } from '@roost/home/programs/agent-runs';
import { readRunnerState } from '@roost/home/runner-file';
import { newShortId } from '@roost/home/short-id';
import { realTimers, steadyNow } from '@roost/machine/timers';
import type { LaunchEnded, LaunchOpened } from '@roost/protocol/api/launches';
import { AppError } from '@roost/protocol/app-error';
import { err, ok, type Result } from '@roost/protocol/result';
import { type KeeperDeps, keepRunnerUp, type RunnerKeeper } from '../runner/keep-runner-up.ts';

export type LaunchOptions = {
	args: readonly string[];
	env: NodeJS.ProcessEnv;
	cwd: string;
	enforce: boolean;
	/** Connects to the runner, or starts one; called only when there is something to report. */
	reach: () => Promise<Result<ApiClient['launches']>>;
	/** Called when the agent is about to start, disposed when it has ended. A headless agent shows no dialog of its own. */
	watch: (launch: Pick<LaunchOpened, 'launchId'> & { headless: boolean }) => AsyncDisposable;
	say: (sentence: string) => void;
};

type Ended = Result<{ exitCode: number }>;
type Governed = { agent: AgentId; launchable: Launchable; command: Argv; gate: GateMode };

export async function launchObserved(agent: AgentId, options: LaunchOptions): Promise<Ended> {
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
	const { headless, managementOnly, folder = '', says = [], notices = [] } = read.value;
	if (managementOnly) return await runHere(command.value, options.args, own);
	for (const sentence of says) options.say(sentence);
	const described = await describeRepository(repository, resolve(options.cwd, folder));
	const body = { agent, cwd: options.cwd, gate, headless, pid: process.pid, repository: described };
	const governed = { agent, launchable, command: command.value, gate };
	return await launchRecorded(governed, { ...body, ...(notices.length > 0 ? { notices: [...notices] } : {}) }, own);
}

/** While the agent runs, the runner is restarted if it is killed, and it is notified when the agent has ended. */
async function launchRecorded(
	governed: Governed,
	body: Parameters<ApiClient['launches']['open']>[0] & { headless: boolean; repository: readonly string[] },
	options: LaunchOptions,
): Promise<Ended> {
	const { agent, gate } = governed;
	const { headless, repository } = body;
	const home = resolveHome(options.env);
	if (!home.ok) return home;
	const launches = await options.reach();
	if (!launches.ok) return launches;
	const opened = await launches.value.open(body);
	if (!opened.ok) return opened;
	if (repository.length > 0) options.say(`this repository configures ${agent}; ${EFFECT[gate]}:`);
	for (const line of repository) options.say(`  ${line}`);
	await using _watch = options.watch({ headless, launchId: opened.value.launchId });
	const state = () => readRunnerState(home.value);
	const keeper = keepRunnerUp({ state, start: options.reach, timers: realTimers, now: steadyNow });
	try {
		return await startAgent(governed, opened.value, home.value, options);
	} finally {
		await keeper[Symbol.asyncDispose]();
		const ended = await endLaunch(opened.value.launchId, { reach: options.reach, state, keeper });
		const session = ended.ok ? ended.value.sessionId : null;
		if (!ended.ok) options.say(`the runner is gone: what ${agent} did since then is not on record (${ended.error.message})`);
		else if (session && !headless) options.say(`on record as session ${session}; see it with "roost feed ${session}".`);
	}
}

const EFFECT: Readonly<Record<GateMode, string>> = {
	observe: 'what it allows or runs there is not decided by Roost',
	enforce: 'it allows nothing, because Roost decides on every call',
};

async function startAgent(governed: Governed, launch: LaunchOpened, home: Home, options: LaunchOptions): Promise<Ended> {
	const { agent, launchable, command, gate } = governed;
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

type Ending = Pick<LaunchOptions, 'reach'> & Pick<KeeperDeps, 'state'> & { keeper: RunnerKeeper };

/** A runner that was killed is restarted for it; one that was stopped is not. */
async function endLaunch(launchId: string, { reach, state, keeper }: Ending): Promise<Result<LaunchEnded>> {
	const problem = keeper.problem();
	if (problem) return err(new AppError('cannot_start', problem));
	const runner = state();
	if (!runner.ok) return runner;
	if (runner.value === 'ended') return err(new AppError('not_found', 'it was stopped'));
	const launches = await reach();
	return launches.ok ? launches.value.end({ id: launchId }) : launches;
}

/** Runs a program in this terminal until it exits. Of Roost's own variables it gets only those of its hooks. */
async function runHere(
	[program, ...first]: Argv,
	args: readonly string[],
	{ env, cwd, hooks = {} }: Pick<LaunchOptions, 'env' | 'cwd'> & { hooks?: Readonly<Record<string, string>> },
): Promise<Ended> {
	const child = spawn(program, [...first, ...args], { env: { ...observedEnvironment(env), ...hooks }, cwd, stdio: 'inherit' });
	const { promise, resolve: finish } = Promise.withResolvers<Ended>();
	let killing: NodeJS.Timeout | undefined;
	const forward = (signal: NodeJS.Signals) => {
		child.kill(signal);
		killing ??= setTimeout(() => child.kill('SIGKILL'), GRACE_MS).unref();
	};
	// The terminal sends Ctrl-C to the agent too, where it stops the current turn: this process must not end first.
	const ignore = () => {};
	process.on('SIGINT', ignore);
	for (const signal of FORWARDED) process.on(signal, forward);
	child.once('error', (cause) =>
		finish(err(new AppError('cannot_start', toSentence(`${program} cannot be started: ${cause.message}`), { cause }))),
	);
	child.once('exit', (code, signal) => finish(ok({ exitCode: code ?? 128 + (signal ? constants.signals[signal] : 0) })));
	try {
		return await promise;
	} finally {
		clearTimeout(killing);
		process.off('SIGINT', ignore);
		for (const signal of FORWARDED) process.off(signal, forward);
	}
}

const FORWARDED = ['SIGTERM', 'SIGHUP'] as const;
const GRACE_MS = 3_000;

export function launchForwarder({ askMs = UNSTATED_ASK_MS }: LaunchOpened['hooks']): Forwarder {
	return { node: process.execPath, script: programFile('forwarder'), askMs };
}
