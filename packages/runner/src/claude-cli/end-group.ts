// Ends a process together with everything it started: asked first, then made to.
import { hasCode } from '@roost/machine/error-code';
import type { Timers } from '@roost/machine/timers';

const GRACE_MS = 2_000;

/** `pid` leads a process group of its own. The last step is cancelled by what is returned. */
export function endGroup(pid: number, timers: Timers): () => void {
	if (!signalGroup(pid, 'SIGTERM')) return () => {};
	return timers.after(GRACE_MS, () => signalGroup(pid, 'SIGKILL'));
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
