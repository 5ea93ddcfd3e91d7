// Updates the search index in small slices between appends, so that indexing does not delay them.
import type { LogSearch } from './log-search.ts';

export type IdleIndexing = {
	/** Call after a commit, and once at the start for what an earlier process left. */
	nudge(): void;
	/** Indexes everything now. */
	catchUp(): void;
	/** Indexes one last slice and stops. */
	finish(): void;
};

/** Long enough to index a burst at once, short enough that few searches run before it. */
const QUIET_MS = 200;
/** An event takes about 40 microseconds, so an append waits a few milliseconds at most. */
const SLICE = 50;
/** At the end; the next start indexes the rest. */
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

	/** One slice at a time while appends arrive, without pauses once they stop. */
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
			// The index is derived data: searches read unindexed events too, and the next commit retries.
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
