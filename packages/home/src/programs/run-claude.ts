// Runs one command of claude to its end, and knows which ones run.
import type { CliExit } from '@roost/agents/claude/cli/command-outcome';
import { endGroup } from '@roost/machine/child-process';
import { type RunningProgram, runProgram } from '@roost/machine/run-program';
import type { Timers } from '@roost/machine/timers';
import { AppError } from '@roost/protocol/app-error';
import { err, ok, type Result } from '@roost/protocol/result';
import type { Argv } from './find-claude.ts';

export type ClaudeCall = {
	args: readonly string[];
	cwd: string;
	limitMs: number;
	/** Beside what every claude gets. */
	env?: Readonly<Record<string, string>> | undefined;
	onLine?: ((line: string) => void) | undefined;
};

export type RunClaude = (call: ClaudeCall) => Promise<Result<CliExit>>;

export type ClaudeRuns = AsyncDisposable & {
	run: RunClaude;
	/** How many run now. */
	working(): number;
};

export type ClaudeRunsDeps = { find: () => Result<Argv>; env: () => NodeJS.ProcessEnv; timers: Timers };

/** One command on its way; without a pid it never was one, and `ended` says why. */
export type Begun = { pid: number | undefined; ended: Promise<Result<CliExit>> };

export type BeginClaude = (argv: Argv, call: ClaudeCall, env: NodeJS.ProcessEnv) => Result<Begun> | Promise<Result<Begun>>;

export function createClaudeRuns(deps: ClaudeRunsDeps): ClaudeRuns {
	return keepRuns(deps, (argv, call, env) => {
		const started = start(argv, call, env, deps.timers);
		return started.ok ? ok({ pid: started.value.pid, ended: follow(started.value, call) }) : started;
	});
}

/** Knows which commands run, and ends them with itself. */
export function keepRuns({ find, env, timers }: ClaudeRunsDeps, begin: BeginClaude): ClaudeRuns {
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

function start([program, ...before]: Argv, call: ClaudeCall, env: NodeJS.ProcessEnv, timers: Timers): Result<RunningProgram> {
	const { args, cwd, limitMs, onLine } = call;
	try {
		return ok(runProgram([program, ...before, ...args], { cwd, env, limitMs, timers, onLine }));
	} catch (cause) {
		// Too long for the system, or a byte that no argument can hold; the arguments themselves may be secrets.
		return err(new AppError('bad_request', `${nameOf(args)} cannot be given that: it is too long or holds a NUL.`, { cause }));
	}
}

async function follow(running: RunningProgram, { args, limitMs }: ClaudeCall): Promise<Result<CliExit>> {
	const ended = await running.ended;
	if (!ended.ok) return ended;
	const { code, stdout, stderr, stopped } = ended.value;
	return stopped === null ? ok({ code, stdout, stderr }) : err(tookTooLong(args, limitMs));
}

export function tookTooLong(args: readonly string[], limitMs: number): AppError {
	const seconds = Math.round(limitMs / 1_000);
	return new AppError('timed_out', `${nameOf(args)} did not finish within ${seconds} seconds and was ended: try again.`);
}

/** The command without its operands and options, which may be secrets. */
export function nameOf(args: readonly string[]): string {
	const end = args.findIndex((arg) => arg.startsWith('-'));
	return ['claude', ...(end < 0 ? args : args.slice(0, end))].join(' ');
}
