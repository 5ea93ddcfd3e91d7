// What is done with every child process: keep the end of what it writes, signal its group, and end it in two steps.
import type { ChildProcess } from 'node:child_process';
import type { Readable } from 'node:stream';
import { hasCode } from './error-code.ts';
import type { Timers } from './timers.ts';

const GROUP_GRACE_MS = 2_000;
const CHILD_GRACE_MS = 5_000;

/** Ends a process together with everything it started: `pid` leads a group of its own. What is returned cancels the second step. */
export function endGroup(pid: number, timers: Timers): () => void {
	if (!signalGroup(pid, 'SIGTERM')) return () => {};
	return timers.after(GROUP_GRACE_MS, () => signalGroup(pid, 'SIGKILL'));
}

/** False when nobody of the group is left. */
export function signalGroup(pid: number, signal: NodeJS.Signals): boolean {
	try {
		return process.kill(-pid, signal);
	} catch (cause) {
		if (hasCode(cause, 'ESRCH', 'EPERM')) return false;
		throw cause;
	}
}

export function isChildAlive(child: ChildProcess): boolean {
	return child.pid !== undefined && child.exitCode === null && child.signalCode === null;
}

type Ending = {
	/** How long it may take to exit by itself. */
	afterMs: number;
	timers: Timers;
	send: (signal: NodeJS.Signals) => unknown;
};

/** Then it is asked, and killed where that does not help. */
export function endChild(child: ChildProcess, { afterMs, timers, send }: Ending): void {
	const steps = [timers.after(afterMs, () => send('SIGTERM')), timers.after(afterMs + CHILD_GRACE_MS, () => send('SIGKILL'))];
	child.once('exit', () => {
		for (const cancel of steps) cancel();
	});
}

/** The end of what is written to it, without the space around. */
export function keepTail(stream: Readable, most: number): () => string {
	let tail = '';
	stream.setEncoding('utf8').on('data', (text: string) => {
		tail = (tail + text).slice(-most);
	});
	return () => tail.trim();
}
