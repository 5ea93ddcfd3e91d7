// Runs a program to its end: an argument list, no shell, a time limit, bounded output, and no child left behind.
import { type ChildProcess, spawn } from 'node:child_process';
import { toSentence } from '@roost/core/display/sentence';
import { AppError } from '@roost/protocol/app-error';
import { err, ok, type Result } from '@roost/protocol/result';
import { endGroup, signalGroup } from './child-process.ts';
import { realTimers, type Timers } from './timers.ts';

export type RunOptions = {
	cwd?: string | undefined;
	/** The whole environment: nothing is inherited. */
	env: NodeJS.ProcessEnv;
	limitMs: number;
	timers?: Timers | undefined;
	/** Ends it before its time is up. */
	signal?: AbortSignal | undefined;
	/** For its stdin, which is empty without. */
	input?: string | undefined;
	/** Each line of stdout and stderr as it comes. */
	onLine?: ((line: string) => void) | undefined;
};

export type ProgramExit = {
	code: number | null;
	signal: NodeJS.Signals | null;
	stdout: string;
	stderr: string;
	/** Why it was ended. */
	stopped: 'timeout' | 'aborted' | null;
};

/** Without a pid it never started, and `ended` says why. */
export type RunningProgram = { readonly pid: number | undefined; readonly ended: Promise<Result<ProgramExit>> };

/** How long output may still come after the end. */
const DRAIN_MS = 500;

/** In a process group of its own. Throws where the arguments fit no program: too long, or with a NUL in them. */
export function runProgram(argv: readonly [string, ...string[]], options: RunOptions): RunningProgram {
	const { timers = realTimers, onLine } = options;
	const child = start(argv, options);
	const stdout = createLineReader(onLine);
	const stderr = createLineReader(onLine);
	child.stdout.setEncoding('utf8').on('data', stdout.take);
	child.stderr.setEncoding('utf8').on('data', stderr.take);
	const limits = watchLimits(child, options, timers);
	const { promise: ended, resolve } = Promise.withResolvers<Result<ProgramExit>>();
	let cancelDrain = () => {};
	child.once('error', (cause) => {
		limits.cancel();
		resolve(err(new AppError('cannot_start', toSentence(`${argv[0]} cannot be started: ${cause.message}`), { cause })));
	});
	child.once('exit', () => {
		limits.cancelLimit();
		// Whatever it left running holds our pipes open, and has nobody to answer to any more.
		cancelDrain = timers.after(DRAIN_MS, () => {
			killGroup(child);
			child.stdout.destroy();
			child.stderr.destroy();
		});
	});
	child.once('close', (code, signal) => {
		cancelDrain();
		limits.cancel();
		killGroup(child);
		resolve(ok({ code, signal, stdout: stdout.end(), stderr: stderr.end(), stopped: limits.stopped() }));
	});
	return { pid: child.pid, ended };
}

function start([file, ...args]: readonly [string, ...string[]], { cwd, env, input }: RunOptions) {
	const place = { cwd, env, detached: true };
	if (input === undefined) return spawn(file, args, { ...place, stdio: ['ignore', 'pipe', 'pipe'] });
	const child = spawn(file, args, { ...place, stdio: ['pipe', 'pipe', 'pipe'] });
	// A program may end without reading its input: its exit tells, not the broken pipe.
	child.stdin.on('error', () => {});
	child.stdin.end(input);
	return child;
}

/** Ends it with its group when its time is up or nobody wants it any more. */
function watchLimits({ pid }: ChildProcess, { limitMs, signal }: RunOptions, timers: Timers) {
	let stopped: ProgramExit['stopped'] = null;
	let cancelKill = () => {};
	const stop = (why: 'timeout' | 'aborted') => {
		if (stopped !== null || pid === undefined) return;
		stopped = why;
		cancelKill = endGroup(pid, timers);
	};
	const abort = () => stop('aborted');
	const cancelLimit = timers.after(limitMs, () => stop('timeout'));
	signal?.addEventListener('abort', abort, { once: true });
	if (signal?.aborted) abort();
	return {
		stopped: () => stopped,
		/** It has ended by itself: only what it left is waited for. */
		cancelLimit,
		cancel() {
			cancelLimit();
			cancelKill();
			signal?.removeEventListener('abort', abort);
		},
	};
}

function killGroup({ pid }: ChildProcess): void {
	if (pid !== undefined) signalGroup(pid, 'SIGKILL');
}

type LineReader = {
	take(text: string): void;
	/** All of it; what is past the bound is said to be missing. */
	end(): string;
};

const MOST_KEPT = 1_000_000;
const LONGEST_LINE = 4_000;

/** Text as it comes: told line by line, kept whole up to a bound. */
function createLineReader(onLine: (line: string) => void = () => {}): LineReader {
	let kept = '';
	let cut = false;
	let line = '';

	function finishLine(): void {
		if (line.trim() !== '') onLine(line.trimEnd());
		line = '';
	}
	return {
		take(text) {
			const room = MOST_KEPT - kept.length;
			kept += text.slice(0, room);
			cut ||= text.length > room;
			for (const [at, part] of text.split(/[\r\n]/).entries()) {
				if (at > 0) finishLine();
				line = (line + part).slice(0, LONGEST_LINE);
			}
		},
		end() {
			finishLine();
			return cut ? `${kept}\n[the rest is left out]` : kept;
		},
	};
}
