// Ends a runner that nobody needs: no agent, no client, for a while.
import type { Timers } from '@roost/machine/timers';

export type IdleEnd = Disposable & {
	/** Somebody came, went or did something: the time starts anew. */
	touch(): void;
};

export type IdleOptions = {
	/** True while there is neither agent nor client. */
	isIdle: () => boolean;
	idleMs: number;
	timers: Timers;
	/** Called once. */
	onIdle: () => void;
};

export const IDLE_MS = 10 * 60_000;

export function createIdleEnd({ isIdle, idleMs, timers, onIdle }: IdleOptions): IdleEnd {
	let ended = false;
	let cancel = timers.after(idleMs, look);

	function touch(): void {
		if (ended) return;
		cancel();
		cancel = timers.after(idleMs, look);
	}
	function look(): void {
		if (isIdle()) {
			ended = true;
			onIdle();
		} else touch();
	}
	return {
		touch,
		[Symbol.dispose]() {
			ended = true;
			cancel();
		},
	};
}
