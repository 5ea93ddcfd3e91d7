// Brings the search index up to date in small slices while no append waits, so that indexing never delays an append.
import type { LogSearch } from './log-search.ts';

export type IdleIndexing = {
	/** Something was committed, or may have been left by an earlier process. */
	nudge(): void;
	/** Indexes everything, now. */
	catchUp(): void;
	/** Indexes what a short wait allows and stops. */
	finish(): void;
};

/** Long enough that a burst is indexed in one go, short enough that few searches come before it. */
const QUIET_MS = 200;
/** An event takes some 40 microseconds, so an append waits a few milliseconds at worst. */
const SLICE = 50;
/** At the end, what is left beyond this waits for the next start. */
const LAST_SLICE = 5_000;

export function createIdleIndexing(search: LogSearch, isIdle: () => boolean): IdleIndexing {
	let timer: NodeJS.Timeout | undefined;
	let isFinished = false;
	let hasCommitted = false;

	function nudge(): void {
		hasCommitted = true;
		wait();
	}

	function wait(): void {
		if (isFinished || timer !== undefined) return;
		timer = setTimeout(work, QUIET_MS);
		timer.unref();
	}

	/** One slice at a time while appends keep coming, as fast as it can be once they do not. */
	function work(): void {
		timer = undefined;
		if (isFinished) return;
		const isBusy = hasCommitted || !isIdle();
		hasCommitted = false;
		if (!index(SLICE)) return;
		if (isBusy) wait();
		else setImmediate(work);
	}

	function index(slice: number): boolean {
		try {
			return search.catchUp(slice);
		} catch {
			// The index is derived: a search reads what is not indexed, and the next commit tries again.
			return false;
		}
	}

	return {
		nudge,
		catchUp() {
			while (index(LAST_SLICE));
		},
		finish() {
			isFinished = true;
			clearTimeout(timer);
			index(LAST_SLICE);
		},
	};
}
