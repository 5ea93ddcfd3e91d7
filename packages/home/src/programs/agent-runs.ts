// Finds an agent's program and runs its commands; ends running commands on disposal.
import { isAbsolute } from 'node:path';
import type { CliExit } from '@roost/agents/base/agent-cli';
import type { KnownAgent } from '@roost/agents/kind/agent-kind';
import { endGroup } from '@roost/machine/child-process';
import { findProgram } from '@roost/machine/find-program';
import { type RunningProgram, runProgram } from '@roost/machine/run-program';
import type { Timers } from '@roost/machine/timers';
import { AppError } from '@roost/protocol/app-error';
import { err, ok, type Result } from '@roost/protocol/result';

export type AgentCall = {
	args: readonly string[];
	cwd: string;
	limitMs: number;
	/** In addition to the environment of every command. */
	env?: Readonly<Record<string, string>> | undefined;
	onLine?: ((line: string) => void) | undefined;
};

export type RunAgent = (call: AgentCall) => Promise<Result<CliExit>>;

export type AgentRuns = AsyncDisposable & {
	run: RunAgent;
	/** The number of running commands. */
	working(): number;
};

/** `name`: of the program, for errors. */
export type AgentRunsDeps = { name: string; find: () => Result<Argv>; env: () => NodeJS.ProcessEnv; timers: Timers };

/** A started command. Without a pid it did not start, and `ended` has the error. */
type Begun = { pid: number | undefined; ended: Promise<Result<CliExit>> };

type BeginAgent = (argv: Argv, call: AgentCall, env: NodeJS.ProcessEnv) => Result<Begun> | Promise<Result<Begun>>;

export function createAgentRuns(deps: AgentRunsDeps): AgentRuns {
	return keepRuns(deps, (argv, call, env) => {
		const started = start(argv, call, env, deps);
		return started.ok ? ok({ pid: started.value.pid, ended: follow(started.value, call, deps.name) }) : started;
	});
}

export function keepRuns({ find, env, timers }: AgentRunsDeps, begin: BeginAgent): AgentRuns {
	const live = new Map<number, Promise<unknown>>();
	return {
		working: () => live.size,
		async run(call) {
			const found = find();
			if (!found.ok) return found;
			const begun = await begin(found.value, call, { ...env(), ...call.env });
			if (!begun.ok) return begun;
			const { pid, ended } = begun.value;
			if (pid === undefined) return await ended;
			live.set(pid, ended);
			try {
				return await ended;
			} finally {
				live.delete(pid);
			}
		},
		async [Symbol.asyncDispose]() {
			const running = [...live.values()];
			for (const pid of live.keys()) endGroup(pid, timers);
			await Promise.all(running);
		},
	};
}

function start(
	[program, ...before]: Argv,
	call: AgentCall,
	env: NodeJS.ProcessEnv,
	{ name, timers }: AgentRunsDeps,
): Result<RunningProgram> {
	const { args, cwd, limitMs, onLine } = call;
	try {
		return ok(runProgram([program, ...before, ...args], { cwd, env, limitMs, timers, onLine }));
	} catch (cause) {
		// Arguments that are too long or contain a NUL. They may be secrets, so the error does not show them.
		return err(
			new AppError('bad_request', `${nameOf(name, args)} cannot be started: an argument is too long or contains a NUL.`, {
				cause,
			}),
		);
	}
}

async function follow(running: RunningProgram, { args, limitMs }: AgentCall, name: string): Promise<Result<CliExit>> {
	const ended = await running.ended;
	if (!ended.ok) return ended;
	const { code, stdout, stderr, stopped } = ended.value;
	return stopped === null ? ok({ code, stdout, stderr }) : err(tookTooLong(nameOf(name, args), limitMs));
}

export function tookTooLong(command: string, limitMs: number): AppError {
	const seconds = Math.round(limitMs / 1_000);
	return new AppError('timed_out', `${command} did not finish within ${seconds} seconds and was ended. Try again.`);
}

/** The command without its operands and options, which may be secrets. */
export function nameOf(program: string, args: readonly string[]): string {
	const end = args.findIndex((arg) => arg.startsWith('-'));
	return [program, ...(end < 0 ? args : args.slice(0, end))].join(' ');
}

export type Argv = readonly [string, ...string[]];

export type WantedAgent = Pick<KnownAgent, 'id' | 'title' | 'program' | 'bundled'>;

/** The configured program, otherwise the one on the user's PATH, otherwise a bundled one; never one of a repository. */
export function findAgent(agent: WantedAgent, configured: readonly string[] | undefined, env: NodeJS.ProcessEnv): Result<Argv> {
	const { id, title } = agent;
	const [program = agent.program, ...args] = configured ?? [];
	const own = isAbsolute(program) ? program : findProgram(program, env);
	const path = own ?? (configured ? null : (agent.bundled?.() ?? null));
	if (path) return ok([path, ...args]);
	const sentence = configured
		? `agents.${id}.command names ${program}, which is not on your PATH: fix it in config.yaml.`
		: `${title} is not on this machine: install it, or name its program as agents.${id}.command in config.yaml.`;
	return err(new AppError('cannot_start', sentence));
}
