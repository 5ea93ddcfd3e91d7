// Long work in slices of a few milliseconds, so that other requests are served in between.
import { setImmediate } from 'node:timers/promises';

const SLICE_MS = 2;

/** Called between two small pieces of work; resolves at once until the slice is used up. */
export type Turn = () => Promise<void>;

export function createTurn(): Turn {
	let since = performance.now();
	return async () => {
		if (performance.now() - since < SLICE_MS) return;
		await setImmediate();
		since = performance.now();
	};
}
