// One check at a time that the runner still answers: after sleep, a dead connection looks like a quiet one.
import type { Timers } from './attempt.ts';

export type Probe = {
	/** Sends a ping and waits for an answer; does nothing while it already waits. */
	start(ping: () => void): void;
	/** The runner answered, or the connection ended. */
	stop(): void;
	isWaiting(): boolean;
};

const ANSWER_MS = 3_000;

export function createProbe({ timers, onSilence }: { timers: Timers; onSilence: () => void }): Probe {
	let cancel: (() => void) | undefined;
	return {
		start(ping) {
			if (cancel !== undefined) return;
			cancel = timers.after(ANSWER_MS, onSilence);
			ping();
		},
		stop() {
			cancel?.();
			cancel = undefined;
		},
		isWaiting: () => cancel !== undefined,
	};
}
