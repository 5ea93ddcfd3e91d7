// How long to wait before the next attempt: longer each time, and never the same for everybody.

export type Backoff = { initialDelayMs: number; maxDelayMs: number; multiplier: number };

export const DEFAULT_BACKOFF: Backoff = { initialDelayMs: 1_000, maxDelayMs: 30_000, multiplier: 2 };

/** Between half of the delay and all of it: faces that lost the same runner come back spread out. `random` is in [0, 1). */
export function toDelay(backoff: Backoff, attempt: number, random: number): number {
	const full = Math.min(backoff.maxDelayMs, backoff.initialDelayMs * backoff.multiplier ** attempt);
	return full * (0.5 + random / 2);
}
