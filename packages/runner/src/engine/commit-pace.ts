// When the sessions of a runner commit: at once where somebody waits, together with what nobody waits for, which else has its turn a moment later.
import type { Timers } from '@roost/machine/timers';

/** `awaited`: somebody waits for it. `soon`: people look at it. `patient`: it adds to what they see, and shares a later commit. */
export type Haste = 'awaited' | 'soon' | 'patient';

export type CommitPace = {
	/** Calls `begin` when there is a commit, of whichever session; at the latest when its own haste says so. */
	join(begin: () => void, haste: Haste): void;
};

/** Between two commits that nobody waits for: a sync of the disk stops the whole process, so a burst gets few of them. */
const GAP_MS = 4;
/** Long enough for all reports about one call of a driven agent, too short to be seen. */
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
