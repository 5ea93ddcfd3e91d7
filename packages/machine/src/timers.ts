// Timers as a port, so that tests need not wait, and a monotonic clock.

export type Timers = {
	/** Calls `run` once after `ms` milliseconds; the returned function cancels it. */
	after(ms: number, run: () => void): () => void;
};

/** Node treats a longer delay as 1 ms. */
const LONGEST_MS = 2 ** 31 - 1;

export const realTimers: Timers = {
	after(ms, run) {
		const timer = setTimeout(run, Math.min(Math.max(ms, 0), LONGEST_MS));
		return () => clearTimeout(timer);
	},
};

/** Monotonic milliseconds, near the time of day when the process started. */
export const steadyNow = (): number => performance.timeOrigin + performance.now();
