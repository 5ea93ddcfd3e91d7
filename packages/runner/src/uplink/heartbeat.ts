// Detects a connection that is open and dead: nothing was heard for two intervals.
import type { Timers } from '@roost/machine/timers';

export type Heartbeat = Disposable & { heard(): void };

export function startHeartbeat(deps: { timers: Timers; intervalMs: number; ping(): void; onSilent(): void }): Heartbeat {
	/** Intervals since something was heard. */
	let silent = 0;
	let cancel = deps.timers.after(deps.intervalMs, beat);

	function beat(): void {
		silent += 1;
		if (silent > 2) deps.onSilent();
		else {
			cancel = deps.timers.after(deps.intervalMs, beat);
			deps.ping();
		}
	}

	return {
		heard() {
			silent = 0;
		},
		[Symbol.dispose]: () => cancel(),
	};
}
