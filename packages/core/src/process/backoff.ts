// The delay before the next attempt: exponential, with jitter.

export type Backoff = { initialDelayMs: number; maxDelayMs: number; multiplier: number };

export const DEFAULT_BACKOFF: Backoff = { initialDelayMs: 1_000, maxDelayMs: 30_000, multiplier: 2 };

/** Between half of the delay and all of it, so that clients of one runner reconnect spread out. `random` is in [0, 1). */
export function toDelay(backoff: Backoff, attempt: number, random: number): number {
	const full = Math.min(backoff.maxDelayMs, backoff.initialDelayMs * backoff.multiplier ** attempt);
	return full * (0.5 + random / 2);
}
