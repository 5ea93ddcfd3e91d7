// Small reads of a flood made into fewer, larger ones; a short one, such as the echo of a key, goes on at once unless there are many.

export type Gather = Disposable & {
	add(bytes: Uint8Array): void;
	/** Whatever waits goes on now. */
	flush(): void;
};

const WAIT_MS = 2;
const MOST_BYTES = 64 * 1024;
/** A flood fills its reads, which hold 4 KiB. */
const SHORT_BYTES = 1024;
/** Short reads that go on at once within the time that others wait: a program that writes byte by byte floods too. */
const MOST_SHORT = 4;

export function createGather(onBytes: (bytes: Buffer) => void): Gather {
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

	function mayGo(): boolean {
		const isPause = performance.now() - lastAt > WAIT_MS;
		short = isPause ? 0 : short + 1;
		return isPause || (size < SHORT_BYTES && short <= MOST_SHORT);
	}

	return {
		add(bytes) {
			waiting.push(bytes);
			size += bytes.length;
			if (size >= MOST_BYTES || (timer === undefined && mayGo())) flush();
			else timer ??= setTimeout(flush, WAIT_MS);
		},
		flush,
		[Symbol.dispose]: () => clearTimeout(timer),
	};
}
