// roost claude: starts the user's own claude with Roost's hooks for this launch only, and keeps the record while it runs.
import { randomUUID } from 'node:crypto';
import { unlink } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { type HookServer, startHookServer } from '@roost/agents/claude/hooks/server';
import { buildHookSettings, writeLaunchSettings } from '@roost/agents/claude/hooks/settings';
import { type ClaudeArgs, hookEnvironment, readClaudeArgs, toClaudeArgv } from '@roost/agents/claude/launch';
import type { GateMode } from '@roost/core/runtime/gate-mode';
import { AppError } from '@roost/protocol/app-error';
import { err, ok, type Result } from '@roost/protocol/result';
import { readGate } from '../gate.ts';
import { type Runner, startRunner } from '../main.ts';
import { findProject } from '../project.ts';
import { newSessionId, newShortId } from '../short-id.ts';
import { createBindings } from './bindings.ts';
import { findProgram } from './find-program.ts';
import { mergeSettings, readUserSettings } from './launch-settings.ts';
import { routeLaunch } from './route-launch.ts';
import { runChild } from './run-child.ts';

export type LaunchOptions = {
	args: readonly string[];
	env: NodeJS.ProcessEnv;
	cwd: string;
	enforce: boolean;
	/** One sentence for the user. */
	say: (sentence: string) => void;
};

/** In the terminal the user can always answer; a headless run has nobody to ask yet. */
const ASK_TIMEOUT_MS = 300_000;

export async function launchClaude(options: LaunchOptions): Promise<Result<{ exitCode: number }>> {
	const command = findProgram('claude', options.env);
	if (!command)
		return err(new AppError('cannot_start', 'claude was not found on your PATH: install Claude Code, then run this again.'));
	const read = readClaudeArgs(options.args);
	if (read.managementOnly) return run(command, [...options.args], options.env, options.cwd);
	const gate = readGate(options.env, options.enforce);
	if (!gate.ok) return gate;
	const problem = advise(read, gate.value, options.say);
	if (problem) return err(problem);

	const started = startRunner({ env: options.env, rules: () => [], askTimeoutMs: read.headless ? 0 : ASK_TIMEOUT_MS });
	if (!started.ok) return started;
	await using runner = started.value;
	const listening = await startHookServer({ runDir: runner.home.run, now: Date.now, newId: randomUUID });
	if (!listening.ok) return listening;
	await using server = listening.value;
	return await govern({ command, read, gate: gate.value, runner, server }, options);
}

type Governed = { command: string; read: ClaudeArgs; gate: GateMode; runner: Runner; server: HookServer };

async function govern(launching: Governed, options: LaunchOptions): Promise<Result<{ exitCode: number }>> {
	const { command, read, gate, runner, server } = launching;
	const launch = server.openLaunch({ gate });
	const first = newSessionId();
	const bindings = createBindings({ store: runner.store, first, newSessionId });
	using _route = routeLaunch({
		engine: runner.engine,
		bindings,
		runtime: launch.runtime,
		project: await findProject(options.cwd),
		gate,
		now: Date.now,
		onProblem: options.say,
	});
	launch.runtime.start();
	const settingsPath = await writeSettings(launching, launch.secret, options);
	if (!settingsPath.ok) return settingsPath;
	try {
		const hooks = hookEnvironment({ secret: launch.secret, socketPath: server.socketPath, gate, session: first });
		return await run(command, toClaudeArgv(read, settingsPath.value), { ...options.env, ...hooks }, options.cwd);
	} finally {
		await unlink(settingsPath.value);
		await runner.engine.settled();
		launch.close();
		const session = bindings.current();
		if (session && !read.headless) options.say(`on record as session ${session}; see it with "roost feed ${session}".`);
	}
}

async function writeSettings(launching: Governed, secret: string, options: LaunchOptions): Promise<Result<string>> {
	const { read, gate, runner, server } = launching;
	const user = await readUserSettings(read.userSettings, options.cwd);
	if (!user.ok) return user;
	const ours = buildHookSettings({
		httpUrl: server.httpUrl,
		socketPath: server.socketPath,
		forwarder: { node: process.execPath, script: fileURLToPath(import.meta.resolve('@roost/agents/claude/hooks/forwarder')) },
		gate,
		transport: 'http',
		secret,
		noProxy: options.env.NO_PROXY ?? options.env.no_proxy,
	});
	return writeLaunchSettings(runner.home.run, mergeSettings(user.value, ours), `claude-${newShortId()}.json`);
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
	command: string,
	args: readonly string[],
	env: NodeJS.ProcessEnv,
	cwd: string,
): Promise<Result<{ exitCode: number }>> {
	const exit = await runChild({ command, args, env, cwd });
	return exit.ok ? ok({ exitCode: exit.value }) : exit;
}
