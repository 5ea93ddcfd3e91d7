// Runs a program to completion: no shell, a time limit, bounded output, and no descendants left behind.
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
	signal?: AbortSignal | undefined;
	/** Its stdin; empty by default. */
	input?: string | undefined;
	/** Called for each line of stdout and stderr. */
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

/** Without a pid it did not start, and `ended` has the error. */
export type RunningProgram = { readonly pid: number | undefined; readonly ended: Promise<Result<ProgramExit>> };

/** How long output is read after the exit. */
const DRAIN_MS = 500;

/** In its own process group. Throws on invalid arguments: too long, or with a NUL. */
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
		// Descendants may keep our pipes open.
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
	// A program may exit without reading its input.
	child.stdin.on('error', () => {});
	child.stdin.end(input);
	return child;
}

/** Ends the group on timeout or abort. */
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
	/** The whole text up to the limit. */
	end(): string;
};

const MOST_KEPT = 1_000_000;
const LONGEST_LINE = 4_000;

/** Reports text line by line and keeps it up to a limit. */
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
			return cut ? `${kept}\n[truncated]` : kept;
		},
	};
}
