// Frames that are written in one go leave in one write to the socket: each write is a call of the system, and wakes its reader.
import type { Duplex } from 'node:stream';

/** To be called before each frame; what follows in the same turn leaves together with it. */
export function createCork(raw: Pick<Duplex, 'cork' | 'uncork'>): () => void {
	let isCorked = false;
	return () => {
		if (isCorked) return;
		isCorked = true;
		raw.cork();
		// After the promises of this turn: sessions that shared a commit are told of one after the other.
		process.nextTick(() => {
			isCorked = false;
			raw.uncork();
		});
	};
}
