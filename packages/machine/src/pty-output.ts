// Reads the output of a PTY: heavy output in few large pieces, a short one, such as the echo of a key, at once.
import { readSync } from 'node:fs';
import type { IPty } from '@lydell/node-pty';

const WAIT_MS = 2;
const PIECE_BYTES = 64 * 1024;
/** Heavy output fills its reads of 4 KiB. */
const SHORT_BYTES = 1024;
/** Short reads that pass at once within `WAIT_MS`: a program may also write byte by byte. */
const MOST_SHORT = 4;

export type PtyOutput = {
	/** Passes on what was read already. */
	flush(): void;
};

/** The bytes are valid during the call only: a flood would otherwise cause one garbage collection after another. */
export function readPtyOutput(pty: Pick<IPty, 'onData'>, onBytes: (bytes: Buffer) => void): PtyOutput {
	const fd: unknown = Reflect.get(pty, 'fd');
	let piece: Buffer | undefined;
	let size = 0;
	let lastAt = 0;
	let short = 0;
	let timer: NodeJS.Timeout | undefined;

	function flush(): void {
		clearTimeout(timer);
		timer = undefined;
		lastAt = performance.now();
		if (!piece || size === 0) return;
		const bytes = piece.subarray(0, size);
		size = 0;
		onBytes(bytes);
	}

	function add(bytes: Uint8Array): void {
		piece ??= Buffer.allocUnsafeSlow(PIECE_BYTES);
		for (let from = 0; from < bytes.length; ) {
			const fits = bytes.subarray(from, from + piece.length - size);
			piece.set(fits, size);
			size += fits.length;
			from += fits.length;
			if (size === piece.length) flush();
		}
	}

	/** What the kernel has after the first read, without an event for each 4 KiB. */
	function readOn(): void {
		if (!piece || typeof fd !== 'number') return;
		try {
			while (size < piece.length) {
				const read = readSync(fd, piece, size, piece.length - size, null);
				if (read === 0) return;
				size += read;
			}
		} catch {
			// Nothing more for now, or the program has ended; the stream finds out which.
		}
	}

	function passesNow(): boolean {
		const isPause = performance.now() - lastAt > WAIT_MS;
		short = isPause ? 0 : short + 1;
		return isPause || (size < SHORT_BYTES && short <= MOST_SHORT);
	}

	// Without an encoding the library passes bytes, contrary to its types.
	pty.onData((data: string | Buffer) => {
		const bytes = Buffer.isBuffer(data) ? data : Buffer.from(data);
		add(bytes);
		if (bytes.length >= SHORT_BYTES) readOn();
		if (size === PIECE_BYTES || (timer === undefined && passesNow())) flush();
		else timer ??= setTimeout(flush, WAIT_MS);
	});
	return { flush };
}
