// The process of a driven agent that speaks in lines: its pid is told, what it complains about is kept, and it is ended in two steps.
import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { endChild, isChildAlive, keepTail, signalGroup } from './child-process.ts';
import { createLineFramer, type Frame } from './lines.ts';
import { warnOfFailure } from './listeners.ts';
import type { Timers } from './timers.ts';

export type LineProcess = {
	/** One line, without its newline. False where it can take none any more. */
	write(line: string): boolean;
	/** The end of what it wrote to stderr. */
	complaint(): string;
	/** Its input ends; it may go by itself first, then it is told to, and killed where it does not. */
	end(graceMs: number): void;
};

/** Why it is gone, as it can be seen from outside. */
export type ProcessEnd = { type: 'exit'; code: number | null; signal: string | null } | { type: 'not-started'; message: string };

export type LineProcessDeps = {
	argv: readonly [string, ...string[]];
	cwd: string;
	/** The whole environment: nothing is inherited. */
	env: Readonly<Record<string, string>>;
	timers: Timers;
	onSpawned?: ((pid: number) => void) | undefined;
	onLine: (line: string) => void;
	/** A line that is too long, or that cannot be processed; it is left out. */
	onOversize: (head: string) => void;
	/** Once, after its last line. */
	onEnd: (end: ProcessEnd) => void;
};

const MAX_LINE_BYTES = 8 * 1024 * 1024;
const MAX_COMPLAINT = 2000;

export function startLineProcess(deps: LineProcessDeps): LineProcess {
	const [command, ...args] = deps.argv;
	// In a group of its own: what npm installs is a launcher, and a signal to it alone would leave the agent itself running.
	const options = { cwd: deps.cwd, env: { ...deps.env }, detached: true, windowsHide: true } as const;
	const child = spawn(command, args, { ...options, stdio: 'pipe' });
	if (child.pid !== undefined) deps.onSpawned?.(child.pid);
	const complaint = keepTail(child.stderr, MAX_COMPLAINT);
	readLines(child, deps);
	tellEnd(child, deps);
	// A pipe breaks when the process ends, and that is told by its end.
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

/** A line that the adapter fails on is left out like one that is too long: neither ends the runner. */
function takeLine(line: string, { onLine, onOversize }: Pick<LineProcessDeps, 'onLine' | 'onOversize'>): void {
	try {
		onLine(line);
	} catch (cause) {
		warnOfFailure('A line of an agent', cause);
		onOversize('');
	}
}

/** Its last lines are read before its end is told; what it started may hold its output open for longer than that. */
function tellEnd(child: ChildProcessWithoutNullStreams, { onEnd, timers }: Pick<LineProcessDeps, 'onEnd' | 'timers'>): void {
	let isReported = false;
	const tell = (end: ProcessEnd) => {
		if (isReported) return;
		isReported = true;
		onEnd(end);
	};
	child.on('error', (error) => {
		if (child.pid === undefined) tell({ type: 'not-started', message: error.message });
	});
	child.once('exit', (code, signal) => {
		signalAll(child, 'SIGTERM');
		const end: ProcessEnd = { type: 'exit', code, signal };
		const forget = timers.after(LAST_LINES_MS, () => tell(end));
		child.once('close', () => {
			forget();
			tell(end);
		});
	});
}

const LAST_LINES_MS = 1000;

/** Also for one that is gone: what it left behind in its group goes too. */
function signalAll({ pid }: ChildProcessWithoutNullStreams, signal: NodeJS.Signals): void {
	if (pid !== undefined) signalGroup(pid, signal);
}
