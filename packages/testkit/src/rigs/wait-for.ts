// The one way tests wait: for a fact, until a deadline.
import { setTimeout as delay, setImmediate as nextTurn } from 'node:timers/promises';

export type WaitOptions = {
	/** Only where the test is about time: else it only delays the report of a failure. */
	readonly deadlineMs?: number;
	/** Completes the sentence "waited for …". */
	readonly what: string;
	/** What is there instead; shown when the deadline passes. */
	readonly seen?: () => unknown;
	/** The time between two calls; only where the call has effects. */
	readonly everyMs?: number;
};

/** Real programs are slow on a busy machine. */
const DEADLINE_MS = 120_000;

/** Calls `fact` until it is not undefined. Its errors are not caught. */
export async function waitFor<T>(fact: () => T | undefined | Promise<T | undefined>, options: WaitOptions): Promise<T> {
	const deadline = performance.now() + (options.deadlineMs ?? DEADLINE_MS);
	for (;;) {
		const found = await fact();
		if (found !== undefined) return found;
		if (performance.now() >= deadline) throw new Error(await lateMessage(options));
		await delay(options.everyMs ?? 20);
	}
}

/** For what arrives one by one: waits until there are exactly this many. */
export async function waitForLength(list: readonly unknown[], length: number): Promise<void> {
	await waitFor(() => (list.length === length ? true : undefined), {
		what: `a list of ${length}`,
		seen: () => list,
	});
}

async function lateMessage({ what, deadlineMs = DEADLINE_MS, seen }: WaitOptions): Promise<string> {
	const late = `waited ${deadlineMs} ms for ${what}`;
	if (seen === undefined) return late;
	const last = await seen();
	return `${late}; seen last: ${typeof last === 'string' ? last : JSON.stringify(last)}`;
}

export async function pause(ms: number): Promise<void> {
	await (ms === 0 ? nextTurn() : delay(ms));
}
