// Stores how far the hub has the log, at most once a second: only `roost status` and similar read it, and each mark is a disk sync.
import type { Timers } from '@roost/machine/timers';
import type { LogCursor } from '@roost/protocol/log-cursor';
import type { Store } from '@roost/store/store';

export type Marks = AsyncDisposable & { note(upTo: LogCursor): void };

const EVERY_MS = 1_000;

export function createMarks(deps: {
	outbox: Pick<Store['outbox'], 'markFlushed'>;
	timers: Timers;
	warn: (sentence: string) => void;
}): Marks {
	let waiting: LogCursor | undefined;
	let cancel: (() => void) | undefined;

	async function store(): Promise<void> {
		cancel = undefined;
		const upTo = waiting;
		waiting = undefined;
		if (upTo === undefined) return;
		const marked = await deps.outbox.markFlushed(upTo);
		if (!marked.ok) deps.warn(marked.error.message);
	}

	return {
		note(upTo) {
			waiting = upTo;
			cancel ??= deps.timers.after(EVERY_MS, () => void store());
		},
		async [Symbol.asyncDispose]() {
			cancel?.();
			await store();
		},
	};
}
