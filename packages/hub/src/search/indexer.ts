// Fills the full-text index behind the logs: one slice at a time, a runner after the other, and never on the way of a batch.
import type { Log } from '@roost/gateway/http/log';
import type { Timers } from '@roost/machine/timers';
import type { LogEntry } from '@roost/protocol/log-entry';
import { ok, type Result } from '@roost/protocol/result';
import { toEntry } from '@roost/store/log-search';
import type { KnownRunner } from '../runners/known-runners.ts';
import type { HubWords, IndexedText } from '../store/hub-store.ts';

export type Indexer = AsyncDisposable & {
	/** At the start, and at each connection of a runner: indexes what is there and what comes. */
	follow(runner: KnownRunner): void;
	/** Resolves when nothing is left to index. */
	idle(): Promise<void>;
};

export type IndexerDeps = { words: HubWords; timers: Timers; log: Log };

/** Lines in one transaction: their words are split at once, in about 30 ms. */
const SLICE = 200;
/** Batches come first: they arrive in bursts, and each burst is a few slices. */
export const SOON_MS = 100;
const RETRY_MS = 5_000;

export function createIndexer({ words, timers, log }: IndexerDeps): Indexer {
	const followed = new Map<KnownRunner, () => void>();
	const due = new Set<KnownRunner>();
	const waiting: (() => void)[] = [];
	let limit = SLICE;
	let isClosed = false;
	let cancel: (() => void) | undefined;
	let working: Promise<void> | undefined;

	function nudge(runner: KnownRunner): void {
		due.add(runner);
		wake(SOON_MS);
	}

	function wake(afterMs: number): void {
		if (isClosed || working) return;
		cancel ??= timers.after(afterMs, () => {
			cancel = undefined;
			working = work();
		});
	}

	/** One slice, then the next runner. */
	async function work(): Promise<void> {
		const done = await step();
		working = undefined;
		if (!done.ok) {
			log({ level: 'warn', msg: 'the search index is behind', why: done.error.message });
			// A slice that takes too long is tried again as a smaller one.
			limit = Math.ceil(limit / 4);
			wake(RETRY_MS);
			return;
		}
		limit = Math.min(limit * 2, SLICE);
		if (due.size > 0) return wake(0);
		for (const resolve of waiting.splice(0)) resolve();
	}

	async function step(): Promise<Result<void>> {
		const [runner] = due;
		if (!runner) return ok(undefined);
		// What arrives from here on makes it due again.
		due.delete(runner);
		const indexed = await indexSlice(runner);
		if (!indexed.ok || indexed.value) due.add(runner);
		return indexed.ok ? ok(undefined) : indexed;
	}

	/** False when nothing is left. */
	async function indexSlice({ log: name }: KnownRunner): Promise<Result<boolean>> {
		if (!name) return ok(false);
		const next = await words.next(name, limit);
		if (!next.ok) return next;
		const { after, lines } = next.value;
		const last = lines.at(-1);
		if (!last) return ok(false);
		// Another node may have been first; then the next slice starts where it ended.
		const added = await words.add(name, { after, upTo: last.seqNo, texts: lines.flatMap(toText) });
		return added.ok ? ok(true) : added;
	}

	return {
		follow(runner) {
			if (isClosed) return;
			nudge(runner);
			if (!followed.has(runner))
				followed.set(
					runner,
					runner.onUpdate(({ entries }) => {
						if (entries.length > 0) nudge(runner);
					}),
				);
		},
		idle: () => (due.size === 0 && !working ? Promise.resolve() : new Promise((resolve) => waiting.push(resolve))),
		async [Symbol.asyncDispose]() {
			isClosed = true;
			cancel?.();
			for (const stop of followed.values()) stop();
			for (const resolve of waiting.splice(0)) resolve();
			await working;
		},
	};
}

/** Nothing for a line that this version cannot read. */
function toText({ seqNo, line }: LogEntry): IndexedText[] {
	const entry = toEntry({ line });
	return entry ? [{ seqNo, title: entry.title, text: entry.text }] : [];
}
