// Combines the frames of one turn of the event loop into one write to the socket: each write is a system call.
import type { Duplex } from 'node:stream';

/** To be called before each frame; later frames of the same turn are written together with it. */
export function createCork(raw: Pick<Duplex, 'cork' | 'uncork'>): () => void {
	let isCorked = false;
	return () => {
		if (isCorked) return;
		isCorked = true;
		raw.cork();
		// After the promises of this turn: sessions that shared a commit are sent one after the other.
		process.nextTick(() => {
			isCorked = false;
			raw.uncork();
		});
	};
}
