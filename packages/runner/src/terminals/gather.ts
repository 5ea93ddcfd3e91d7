// Small reads of a flood made into fewer, larger ones; a lone one, such as the echo of a key, goes on at once.

export type Gather = Disposable & {
	add(bytes: Uint8Array): void;
	/** Whatever waits goes on now. */
	flush(): void;
};

const WAIT_MS = 2;
const MOST_BYTES = 64 * 1024;

export function createGather(onBytes: (bytes: Buffer) => void): Gather {
	let waiting: Uint8Array[] = [];
	let size = 0;
	let lastAt = 0;
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

	return {
		add(bytes) {
			waiting.push(bytes);
			size += bytes.length;
			if (size >= MOST_BYTES || (timer === undefined && performance.now() - lastAt > WAIT_MS)) flush();
			else timer ??= setTimeout(flush, WAIT_MS);
		},
		flush,
		[Symbol.dispose]: () => clearTimeout(timer),
	};
}
