// What can stop a run early: the user, a timeout, a closed stdout, a denied request, a lost runner.
import { setTimeout as delay } from 'node:timers/promises';
import { EXIT, onReaderLeft } from '../../output/exit.ts';

export type Stop = { type: 'interrupted' | 'timed-out' | 'reader-left' } | { type: 'refused' | 'lost'; sentence: string };

export type Stops = Disposable & {
	/** Later ones are ignored. */
	readonly first: Promise<Stop>;
	report(stop: Stop): void;
};

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/** A second signal exits at once. */
export function watchStops(timeoutMs: number | undefined): Stops {
	const { promise, resolve } = Promise.withResolvers<Stop>();
	let signals = 0;
	const onSignal = () => {
		signals += 1;
		if (signals > 1) process.exit(EXIT.interrupted);
		resolve({ type: 'interrupted' });
	};
	const onLeft = () => resolve({ type: 'reader-left' });
	for (const signal of SIGNALS) process.on(signal, onSignal);
	const reader = onReaderLeft(onLeft);
	process.stderr.on('error', onLeft);
	const timer = timeoutMs === undefined ? undefined : setTimeout(() => resolve({ type: 'timed-out' }), timeoutMs);
	return {
		first: promise,
		report: resolve,
		[Symbol.dispose]() {
			clearTimeout(timer);
			reader[Symbol.dispose]();
			process.stderr.off('error', onLeft);
			for (const signal of SIGNALS) process.off(signal, onSignal);
		},
	};
}

type InTime<T> = { inTime: true; value: T } | { inTime: false };

/** How long an agent may take to start, to stop and to exit. */
const PATIENCE_MS = 10_000;

export async function within<T>(work: Promise<T>): Promise<InTime<T>> {
	const done = new AbortController();
	const tooLong = delay(PATIENCE_MS, undefined, { signal: done.signal }).then(
		() => ({ inTime: false }) as const,
		// Aborted because the work is done.
		() => ({ inTime: false }) as const,
	);
	const first = await Promise.race([work.then((value) => ({ inTime: true, value }) as const), tooLong]);
	done.abort();
	return first;
}
