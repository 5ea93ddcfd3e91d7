// Bytes in their order, copied into one block of memory: a flood leaves no garbage behind.

export type ByteQueue = {
	readonly size: number;
	add(bytes: Buffer): void;
	/** The bytes from `start` to `end`, valid until the next change. */
	view(start: number, end: number): Buffer;
	/** Removes bytes from the front. */
	drop(count: number): void;
};

/** An empty block up to this size is kept. */
const KEPT_BYTES = 64 * 1024;

export function createByteQueue(): ByteQueue {
	let block = Buffer.alloc(0);
	let from = 0;
	let to = 0;

	function makeRoom(count: number): void {
		if (to + count <= block.length) return;
		const size = to - from;
		const target = 2 * (size + count) <= block.length ? block : Buffer.allocUnsafeSlow(Math.max(KEPT_BYTES, 2 * (size + count)));
		block.copy(target, 0, from, to);
		block = target;
		from = 0;
		to = size;
	}

	return {
		get size() {
			return to - from;
		},
		add(bytes) {
			makeRoom(bytes.length);
			to += bytes.copy(block, to);
		},
		view: (start, end) => block.subarray(from + start, Math.min(from + end, to)),
		drop(count) {
			from = Math.min(from + count, to);
			if (from < to) return;
			from = to = 0;
			if (block.length > KEPT_BYTES) block = Buffer.alloc(0);
		},
	};
}
