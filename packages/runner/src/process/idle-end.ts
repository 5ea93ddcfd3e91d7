// Ends a runner that a command started, after a while without agents and clients.
import type { Timers } from '@roost/machine/timers';

export const IDLE_MS = 10 * 60_000;

export function createIdleEnd(options: {
	isIdle: () => boolean;
	idleMs: number;
	timers: Timers;
	/** Called once. */
	onIdle: () => void;
}) {
	const { isIdle, idleMs, timers, onIdle } = options;
	let ended = false;
	let cancel = timers.after(idleMs, check);

	function touch(): void {
		if (ended) return;
		cancel();
		cancel = timers.after(idleMs, check);
	}
	function check(): void {
		if (isIdle()) {
			ended = true;
			onIdle();
		} else touch();
	}
	return {
		/** Restarts the timer after any activity. */
		touch,
		[Symbol.dispose]() {
			ended = true;
			cancel();
		},
	};
}
