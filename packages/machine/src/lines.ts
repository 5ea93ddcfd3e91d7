// Bytes → lines, for any chunking: lines are cut as bytes, so a character split between chunks stays whole.

export type Frame = { type: 'line'; text: string } | { type: 'oversize'; head: string };

const NEWLINE = 0x0a;
const RETURN = 0x0d;
const HEAD_BYTES = 512;
/** Small pieces are joined in batches: a line sent byte by byte must not cost an object per byte. */
const LOOSE_PARTS = 1024;

/** A longer line is discarded and reported once, with its first bytes. Empty lines are skipped unless `keepsEmpty`. */
export function createLineFramer(maxBytes: number, { keepsEmpty = false } = {}) {
	let parts: Uint8Array[] = [];
	let loose = 0;
	let size = 0;
	let pending = 0;
	let discarding = false;

	return {
		push(chunk: Uint8Array): Frame[] {
			const frames: Frame[] = [];
			let rest = chunk;
			for (let at = rest.indexOf(NEWLINE); at >= 0; at = rest.indexOf(NEWLINE)) {
				collect(rest.subarray(0, at), frames);
				finishLine(frames);
				rest = rest.subarray(at + 1);
			}
			collect(rest, frames);
			return frames;
		},
		/** The rest of a stream that ends without a newline. */
		end(): Frame[] {
			const frames: Frame[] = [];
			if (pending > 0) finishLine(frames);
			return frames;
		},
		/** Bytes of the unfinished line. */
		pending: () => pending,
	};

	function collect(bytes: Uint8Array, frames: Frame[]): void {
		pending += bytes.length;
		if (discarding || bytes.length === 0) return;
		parts.push(bytes);
		size += bytes.length;
		loose++;
		if (loose === LOOSE_PARTS) {
			parts.push(Buffer.concat(parts.splice(-LOOSE_PARTS)));
			loose = 0;
		}
		// One more byte may be the carriage return before the newline.
		if (size > maxBytes + 1) discard(frames);
	}

	function finishLine(frames: Frame[]): void {
		if (!discarding) {
			const line = withoutReturn(Buffer.concat(parts));
			if (line.length > maxBytes) discard(frames);
			else if (keepsEmpty || line.length > 0) frames.push({ type: 'line', text: line.toString('utf8') });
		}
		clear();
		pending = 0;
		discarding = false;
	}

	function discard(frames: Frame[]): void {
		frames.push({ type: 'oversize', head: headOf(parts) });
		clear();
		discarding = true;
	}

	function clear(): void {
		parts = [];
		loose = 0;
		size = 0;
	}
}

/** Every line, including empty ones. */
export async function* splitLines(chunks: AsyncIterable<Uint8Array>, maxBytes: number): AsyncGenerator<Frame> {
	const framer = createLineFramer(maxBytes, { keepsEmpty: true });
	for await (const chunk of chunks) yield* framer.push(chunk);
	yield* framer.end();
}

function withoutReturn(line: Buffer): Buffer {
	return line.at(-1) === RETURN ? line.subarray(0, -1) : line;
}

function headOf(parts: Uint8Array[]): string {
	return Buffer.concat(parts.map((part) => part.subarray(0, HEAD_BYTES)).slice(0, HEAD_BYTES))
		.subarray(0, HEAD_BYTES)
		.toString('utf8');
}
