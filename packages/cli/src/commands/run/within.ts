// Waits for something that may never come, but not for ever.
import { setTimeout as delay } from 'node:timers/promises';

export type InTime<T> = { inTime: true; value: T } | { inTime: false };

/** How long an agent may take to start, to stop and to go once nobody waits for it any more. */
const PATIENCE_MS = 10_000;

export async function within<T>(work: Promise<T>): Promise<InTime<T>> {
	const done = new AbortController();
	const tooLong = delay(PATIENCE_MS, undefined, { signal: done.signal }).then(
		() => ({ inTime: false }) as const,
		// Called off, because the work is done.
		() => ({ inTime: false }) as const,
	);
	const first = await Promise.race([work.then((value) => ({ inTime: true, value }) as const), tooLong]);
	done.abort();
	return first;
}
