// Bytes → lines, for any chunking: lines are cut as bytes, so a character split between chunks stays whole.

export type Frame = { type: 'line'; text: string } | { type: 'oversize'; head: string };

export type LineFramer = {
	push(chunk: Buffer): Frame[];
	/** What is left when the stream ends without a newline. */
	end(): Frame[];
};

const NEWLINE = 0x0a;
const RETURN = 0x0d;
const HEAD_BYTES = 512;
/** So many small pieces are put together at once: a line sent byte by byte must not cost an object for each. */
const LOOSE_PARTS = 1024;

/** A longer line is thrown away up to its newline and reported once, with its first bytes. */
export function createLineFramer(maxBytes: number): LineFramer {
	let parts: Buffer[] = [];
	let loose = 0;
	let size = 0;
	let discarding = false;

	return {
		push(chunk) {
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
		end() {
			const frames: Frame[] = [];
			finishLine(frames);
			return frames;
		},
	};

	function collect(bytes: Buffer, frames: Frame[]): void {
		if (discarding || bytes.length === 0) return;
		parts.push(bytes);
		size += bytes.length;
		loose++;
		if (loose === LOOSE_PARTS) {
			parts.push(Buffer.concat(parts.splice(-LOOSE_PARTS)));
			loose = 0;
		}
		// One byte of grace: it may be the carriage return before the newline.
		if (size > maxBytes + 1) discard(frames);
	}

	function finishLine(frames: Frame[]): void {
		if (!discarding) {
			const line = withoutReturn(Buffer.concat(parts));
			if (line.length > maxBytes) discard(frames);
			else if (line.length > 0) frames.push({ type: 'line', text: line.toString('utf8') });
		}
		clear();
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

function withoutReturn(line: Buffer): Buffer {
	return line.at(-1) === RETURN ? line.subarray(0, -1) : line;
}

function headOf(parts: Buffer[]): string {
	return Buffer.concat(parts.map((part) => part.subarray(0, HEAD_BYTES)).slice(0, HEAD_BYTES))
		.subarray(0, HEAD_BYTES)
		.toString('utf8');
}
