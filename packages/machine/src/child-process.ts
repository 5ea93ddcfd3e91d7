// Child processes: keep the end of their output, signal their group, and end them in two steps.
import type { ChildProcess } from 'node:child_process';
import type { Readable } from 'node:stream';
import { hasCode } from './error-code.ts';
import type { Timers } from './timers.ts';

const GROUP_GRACE_MS = 2_000;
const CHILD_GRACE_MS = 5_000;

/** Ends a process group: `pid` is its leader. The returned function cancels the SIGKILL. */
export function endGroup(pid: number, timers: Timers): () => void {
	if (!signalGroup(pid, 'SIGTERM')) return () => {};
	return timers.after(GROUP_GRACE_MS, () => signalGroup(pid, 'SIGKILL'));
}

/** False if the group is empty. */
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

/** Sends SIGTERM to a child that does not exit by itself within `afterMs`, and SIGKILL later. */
export function endChild(
	child: ChildProcess,
	{ afterMs, timers, send }: { afterMs: number; timers: Timers; send: (signal: NodeJS.Signals) => unknown },
): void {
	const steps = [timers.after(afterMs, () => send('SIGTERM')), timers.after(afterMs + CHILD_GRACE_MS, () => send('SIGKILL'))];
	child.once('exit', () => {
		for (const cancel of steps) cancel();
	});
}

/** The trimmed end of the output. */
export function keepTail(stream: Readable, most: number): () => string {
	let tail = '';
	stream.setEncoding('utf8').on('data', (text: string) => {
		tail = (tail + text).slice(-most);
	});
	return () => tail.trim();
}
