// The process of a driven agent with a line-based protocol: reports its pid, keeps the end of stderr, and ends in two steps.
import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { endChild, isChildAlive, keepTail, signalGroup } from './child-process.ts';
import { createLineFramer, type Frame } from './lines.ts';
import { warnOfFailure } from './listeners.ts';
import type { Timers } from './timers.ts';

export type LineProcess = {
	/** A line without its newline. False if the process accepts no more input. */
	write(line: string): boolean;
	/** The end of its stderr. */
	complaint(): string;
	/** Closes stdin; after the grace period sends SIGTERM, then SIGKILL. */
	end(graceMs: number): void;
};

export type ProcessEnd = { type: 'exit'; code: number | null; signal: string | null } | { type: 'not-started'; message: string };

export type LineProcessDeps = {
	argv: readonly [string, ...string[]];
	cwd: string;
	/** The whole environment: nothing is inherited. */
	env: Readonly<Record<string, string>>;
	timers: Timers;
	onSpawned?: ((pid: number) => void) | undefined;
	onLine: (line: string) => void;
	/** A line that is too long or cannot be processed; it is skipped. */
	onOversize: (head: string) => void;
	/** Called once, after the last line. */
	onEnd: (end: ProcessEnd) => void;
};

const MAX_LINE_BYTES = 8 * 1024 * 1024;
const MAX_COMPLAINT = 2000;

export function startLineProcess(deps: LineProcessDeps): LineProcess {
	const [command, ...args] = deps.argv;
	// In its own group: npm installs launchers, and a signal to the launcher alone would leave the agent running.
	const options = { cwd: deps.cwd, env: { ...deps.env }, detached: true, windowsHide: true } as const;
	const child = spawn(command, args, { ...options, stdio: 'pipe' });
	if (child.pid !== undefined) deps.onSpawned?.(child.pid);
	const complaint = keepTail(child.stderr, MAX_COMPLAINT);
	readLines(child, deps);
	reportEnd(child, deps);
	// A broken pipe is reported by the exit of the process.
	child.stdin.on('error', () => {});

	return {
		write(line) {
			if (!isChildAlive(child) || !child.stdin.writable) return false;
			child.stdin.write(`${line}\n`);
			return true;
		},
		complaint,
		end(graceMs) {
			if (!isChildAlive(child)) return;
			child.stdin.end();
			endChild(child, { afterMs: graceMs, timers: deps.timers, send: (signal) => signalAll(child, signal) });
		},
	};
}

function readLines(child: ChildProcessWithoutNullStreams, deps: Pick<LineProcessDeps, 'onLine' | 'onOversize'>): void {
	const framer = createLineFramer(MAX_LINE_BYTES);
	const take = (frames: readonly Frame[]) => {
		for (const frame of frames) {
			if (frame.type === 'oversize') deps.onOversize(frame.head);
			else takeLine(frame.text, deps);
		}
	};
	child.stdout.on('data', (chunk: Buffer) => take(framer.push(chunk)));
	child.stdout.on('end', () => take(framer.end()));
}

/** A line that the adapter fails on is skipped: it must not end the runner. */
function takeLine(line: string, { onLine, onOversize }: Pick<LineProcessDeps, 'onLine' | 'onOversize'>): void {
	try {
		onLine(line);
	} catch (cause) {
		warnOfFailure('A line of an agent', cause);
		onOversize('');
	}
}

/** Reads the last lines before reporting the exit; descendants may keep the output open for longer. */
function reportEnd(child: ChildProcessWithoutNullStreams, { onEnd, timers }: Pick<LineProcessDeps, 'onEnd' | 'timers'>): void {
	let isReported = false;
	const report = (end: ProcessEnd) => {
		if (isReported) return;
		isReported = true;
		onEnd(end);
	};
	child.on('error', (error) => {
		if (child.pid === undefined) report({ type: 'not-started', message: error.message });
	});
	child.once('exit', (code, signal) => {
		signalAll(child, 'SIGTERM');
		const end: ProcessEnd = { type: 'exit', code, signal };
		const cancel = timers.after(LAST_LINES_MS, () => report(end));
		child.once('close', () => {
			cancel();
			report(end);
		});
	});
}

const LAST_LINES_MS = 1000;

/** Also after its exit: ends what is left of its group. */
function signalAll({ pid }: ChildProcessWithoutNullStreams, signal: NodeJS.Signals): void {
	if (pid !== undefined) signalGroup(pid, signal);
}
