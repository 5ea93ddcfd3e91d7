// Time as a port: what waits asks for a call later, so that tests need not wait.

export type Timers = {
	/** Calls `run` once after `ms` milliseconds; the returned function cancels it. */
	after(ms: number, run: () => void): () => void;
};

/** Node turns a longer delay into one of 1 ms. */
const LONGEST_MS = 2 ** 31 - 1;

export const realTimers: Timers = {
	after(ms, run) {
		const timer = setTimeout(run, Math.min(Math.max(ms, 0), LONGEST_MS));
		return () => clearTimeout(timer);
	},
};
