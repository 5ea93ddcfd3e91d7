// Timers of the browser for the clients, and how soon they reconnect.
import type { Timers } from '@roost/client/attempt';
import type { Backoff } from '@roost/core/process/backoff';

/** The runner is nearby, so reconnecting is cheap. */
export const NEARBY: Backoff = { initialDelayMs: 250, maxDelayMs: 2_000, multiplier: 2 };

export const browserTimers: Timers = {
	after(ms, run) {
		const timer = setTimeout(run, ms);
		return () => clearTimeout(timer);
	},
};

export function pause(ms: number): Promise<void> {
	return new Promise((resolve) => void setTimeout(resolve, ms));
}
