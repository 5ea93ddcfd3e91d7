// Memory for bytes on their way to a socket, used again once they are sent: a flood would otherwise cause one garbage collection after another.

const BLOCK_BYTES = 64 * 1024;
const MOST_FREE = 16;

const free: Buffer[] = [];

/** A copy of the bytes, valid until `release`. Without a release, the memory is garbage collected as usual. */
export function copyToBlock(bytes: Uint8Array): { bytes: Uint8Array; release(): void } {
	if (bytes.length > BLOCK_BYTES) return { bytes: Uint8Array.from(bytes), release() {} };
	const block = free.pop() ?? Buffer.allocUnsafeSlow(BLOCK_BYTES);
	block.set(bytes);
	return {
		bytes: block.subarray(0, bytes.length),
		release() {
			if (free.length < MOST_FREE) free.push(block);
		},
	};
}
