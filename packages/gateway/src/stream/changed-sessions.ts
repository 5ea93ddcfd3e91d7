// Collects sessions whose rows changed, and reports each at most once per interval, however many events there are.
import type { Awaitable } from '@roost/protocol/contract/operation';
import type { SessionId } from '@roost/protocol/ids';

export type ChangedSessions = Disposable & { note(ids: Iterable<SessionId>): void };

/** Calls an action once; returns the function that cancels it. */
export type After = (ms: number, action: () => void) => () => void;

export type ChangedSessionsDeps = {
	/** False if it failed: the same sessions are reported again after the interval. */
	report(ids: readonly SessionId[]): Awaitable<boolean>;
	after: After;
};

export const ROW_INTERVAL_MS = 250;

export function createChangedSessions({ report, after }: ChangedSessionsDeps): ChangedSessions {
	const changed = new Set<SessionId>();
	let busy = false;
	let cancel = () => {};

	function flush(): void {
		busy = changed.size > 0;
		if (!busy) return;
		const ids = [...changed];
		changed.clear();
		const reported = report(ids);
		if (typeof reported === 'boolean') wait(ids, reported);
		else void reported.then((isReported) => wait(ids, isReported));
	}

	function wait(ids: readonly SessionId[], isReported: boolean): void {
		if (!isReported) for (const id of ids) changed.add(id);
		cancel = after(ROW_INTERVAL_MS, flush);
	}

	return {
		note(ids) {
			for (const id of ids) changed.add(id);
			if (!busy) flush();
		},
		[Symbol.dispose]: () => cancel(),
	};
}

/** Does not keep the process running. */
export const afterMs: After = (ms, action) => {
	const timer = setTimeout(action, ms);
	timer.unref();
	return () => clearTimeout(timer);
};
