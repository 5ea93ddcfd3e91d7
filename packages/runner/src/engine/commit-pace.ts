// Decides when the sessions of a runner commit: at once if a caller waits; facts without a waiting caller share that commit or a later one.
import type { Timers } from '@roost/machine/timers';

/** `awaited`: a caller waits. `soon`: visible to people. `patient`: details that may share a later commit. */
export type Haste = 'awaited' | 'soon' | 'patient';

export type CommitPace = {
	/** Calls `begin` with the next commit of any session, at the latest when its own haste requires. */
	join(begin: () => void, haste: Haste): void;
};

/** Minimum time between commits without a waiting caller: a disk sync blocks the process, so a burst gets few of them. */
const GAP_MS = 6;
/** Long enough for all reports about one call of a driven agent, too short to notice. */
const PATIENCE_MS = 50;

export function createCommitPace({ timers, now }: { timers: Timers; now: () => number }): CommitPace {
	let joined: (() => void)[] = [];
	let dueAt = Number.POSITIVE_INFINITY;
	let lastAt = Number.NEGATIVE_INFINITY;
	let cancel = () => {};

	function commit(): void {
		cancel();
		dueAt = Number.POSITIVE_INFINITY;
		lastAt = now();
		const all = joined;
		joined = [];
		for (const begin of all) begin();
	}

	return {
		join(begin, haste) {
			joined.push(begin);
			const at = now();
			const due = haste === 'awaited' ? at : haste === 'soon' ? lastAt + GAP_MS : at + PATIENCE_MS;
			if (due <= at) return commit();
			if (due >= dueAt) return;
			cancel();
			dueAt = due;
			cancel = timers.after(due - at, commit);
		},
	};
}
