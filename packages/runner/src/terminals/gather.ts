// Joins the small reads of heavy output into larger ones. A short read, such as the echo of a key, passes at once.

const WAIT_MS = 2;
const MOST_BYTES = 64 * 1024;
/** Heavy output fills its reads of 4 KiB. */
const SHORT_BYTES = 1024;
/** Short reads that pass at once within `WAIT_MS`: a program may also write byte by byte. */
const MOST_SHORT = 4;

export function createGather(onBytes: (bytes: Buffer) => void) {
	let waiting: Uint8Array[] = [];
	let size = 0;
	let lastAt = 0;
	let short = 0;
	let timer: NodeJS.Timeout | undefined;

	function flush(): void {
		clearTimeout(timer);
		timer = undefined;
		lastAt = performance.now();
		if (size === 0) return;
		const bytes = Buffer.concat(waiting);
		waiting = [];
		size = 0;
		onBytes(bytes);
	}

	function passesNow(): boolean {
		const isPause = performance.now() - lastAt > WAIT_MS;
		short = isPause ? 0 : short + 1;
		return isPause || (size < SHORT_BYTES && short <= MOST_SHORT);
	}

	return {
		add(bytes: Uint8Array): void {
			waiting.push(bytes);
			size += bytes.length;
			if (size >= MOST_BYTES || (timer === undefined && passesNow())) flush();
			else timer ??= setTimeout(flush, WAIT_MS);
		},
		flush,
		[Symbol.dispose]: () => clearTimeout(timer),
	};
}
