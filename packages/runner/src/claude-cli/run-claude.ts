// Runs one command of claude to its end: an argument list, no shell, no input, a time limit, bounded output, and no child left behind.

import { type ChildProcessByStdio, spawn } from 'node:child_process';
import type { Readable } from 'node:stream';
import type { CliExit } from '@roost/agents/claude/cli/command-outcome';
import { toSentence } from '@roost/core/display/sentence';
import type { Timers } from '@roost/machine/timers';
import { AppError } from '@roost/protocol/app-error';
import { err, ok, type Result } from '@roost/protocol/result';
import { createLineReader } from './bounded-lines.ts';
import { endGroup, signalGroup } from './end-group.ts';
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
		const started = start(argv, call, env);
		return started.ok ? ok({ pid: started.value.pid, ended: follow(started.value, call, deps.timers) }) : started;
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

type Child = ChildProcessByStdio<null, Readable, Readable>;

function start([program, ...before]: Argv, { args, cwd }: ClaudeCall, env: NodeJS.ProcessEnv): Result<Child> {
	try {
		return ok(spawn(program, [...before, ...args], { cwd, env, detached: true, stdio: ['ignore', 'pipe', 'pipe'] }));
	} catch (cause) {
		// Too long for the system, or a byte that no argument can hold; the arguments themselves may be secrets.
		return err(new AppError('bad_request', `${nameOf(args)} cannot be given that: it is too long or holds a NUL.`, { cause }));
	}
}

function follow(child: Child, { args, limitMs, onLine }: ClaudeCall, timers: Timers): Promise<Result<CliExit>> {
	const stdout = createLineReader(onLine);
	const stderr = createLineReader(onLine);
	child.stdout.setEncoding('utf8').on('data', stdout.take);
	child.stderr.setEncoding('utf8').on('data', stderr.take);
	return new Promise((resolve) => {
		let late = false;
		let spare = () => {};
		const cancelLimit = timers.after(limitMs, () => {
			late = true;
			if (child.pid !== undefined) spare = endGroup(child.pid, timers);
		});
		let cancelDrain = () => {};
		child.once('error', (cause) => {
			cancelLimit();
			resolve(err(new AppError('cannot_start', toSentence(`claude cannot be started: ${cause.message}`), { cause })));
		});
		child.once('exit', () => {
			cancelLimit();
			// Whatever it left running holds our pipes open, and has nobody to answer to any more.
			cancelDrain = timers.after(DRAIN_MS, () => {
				if (child.pid !== undefined) signalGroup(child.pid, 'SIGKILL');
				child.stdout.destroy();
				child.stderr.destroy();
			});
		});
		child.once('close', (code) => {
			cancelDrain();
			spare();
			if (child.pid !== undefined) signalGroup(child.pid, 'SIGKILL');
			resolve(late ? err(tookTooLong(args, limitMs)) : ok({ code, stdout: stdout.end(), stderr: stderr.end() }));
		});
	});
}

/** How long output may still come after the end. */
const DRAIN_MS = 500;

export function tookTooLong(args: readonly string[], limitMs: number): AppError {
	const seconds = Math.round(limitMs / 1_000);
	return new AppError('timed_out', `${nameOf(args)} did not finish within ${seconds} seconds and was ended: try again.`);
}

/** The command without its operands and options, which may be secrets. */
export function nameOf(args: readonly string[]): string {
	const end = args.findIndex((arg) => arg.startsWith('-'));
	return ['claude', ...(end < 0 ? args : args.slice(0, end))].join(' ');
}
