// Splits bytes into lines whatever the chunks are, holding no more than one line of a bounded length.

const NEWLINE = 0x0a;

/** `bytes` counts its newline too; a line that is not `ended` may still be being written. */
export type Line = ({ type: 'line'; text: string } | { type: 'too-long' }) & { bytes: number; ended: boolean };

export async function* splitLines(chunks: AsyncIterable<Uint8Array>, maxBytes: number): AsyncGenerator<Line> {
	let parts: Uint8Array[] = [];
	let length = 0;
	const take = (ended: boolean): Line => {
		const size = { bytes: length + (ended ? 1 : 0), ended };
		// Decoded only when whole, so a character cut by a chunk border stays intact.
		const line: Line =
			length > maxBytes ? { type: 'too-long', ...size } : { type: 'line', text: Buffer.concat(parts).toString('utf8'), ...size };
		parts = [];
		length = 0;
		return line;
	};
	const hold = (part: Uint8Array): void => {
		length += part.length;
		if (length > maxBytes) parts = [];
		else parts.push(part);
	};
	for await (const chunk of chunks) {
		let start = 0;
		for (let end = chunk.indexOf(NEWLINE); end !== -1; end = chunk.indexOf(NEWLINE, start)) {
			hold(chunk.subarray(start, end));
			yield take(true);
			start = end + 1;
		}
		if (start < chunk.length) hold(chunk.subarray(start));
	}
	if (length > 0) yield take(false);
}
