// Writes to a terminal at once and to the last byte, because nothing may come after it: the process is about to end or to stop.
import { writeSync } from 'node:fs';

/** A terminal that is read slowly takes nothing for a moment; one that is not read at all must not hold us for ever. */
const PAUSE_MS = 2;
const MOST_PAUSES = 250;

export function writeNow(fd: number, text: string, write: typeof writeSome = writeSome): void {
	const bytes = Buffer.from(text);
	let written = 0;
	for (let pauses = 0; written < bytes.length && pauses < MOST_PAUSES; ) {
		const outcome = write(fd, bytes.subarray(written));
		if (outcome === 'gone') return;
		if (outcome === 'full') {
			pauses += 1;
			pause(PAUSE_MS);
		} else written += outcome;
	}
}

/** How many bytes it took, or why none. */
function writeSome(fd: number, bytes: Buffer): number | 'full' | 'gone' {
	try {
		return writeSync(fd, bytes);
	} catch (error) {
		const code = error instanceof Error && 'code' in error ? error.code : undefined;
		if (code === 'EAGAIN') return 'full';
		// To a terminal that is gone there is nothing to say.
		if (code === 'EIO' || code === 'EPIPE' || code === 'EBADF') return 'gone';
		throw error;
	}
}

function pause(ms: number): void {
	Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);
}
