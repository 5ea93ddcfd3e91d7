// Lines are the same however the bytes arrive.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { splitLines } from './lines.ts';

describe('splitting lines', () => {
	it('gives the same lines for any chunking', async () => {
		const anyText = fc.array(fc.oneof(fc.string({ unit: 'binary' }), fc.constant('\n'))).map((parts) => parts.join(''));
		await fc.assert(
			fc.asyncProperty(anyText, fc.array(fc.integer({ min: 1, max: 5 })), async (text, sizes) => {
				const whole = text.split('\n');
				if (whole.at(-1) === '') whole.pop();
				expect(await linesOf(chunked(Buffer.from(text), sizes), 1000)).toEqual(whole);
			}),
		);
	});

	it('says of a line beyond the limit only that it is too long, and goes on', async () => {
		const bytes = Buffer.from(`12345\n${'x'.repeat(6)}\nok\n${'y'.repeat(9)}`);
		expect(await linesOf(chunked(bytes, [3]), 5)).toEqual(['12345', null, 'ok', null]);
	});
});

async function linesOf(chunks: AsyncIterable<Uint8Array>, maxBytes: number): Promise<(string | null)[]> {
	const lines: (string | null)[] = [];
	for await (const line of splitLines(chunks, maxBytes)) lines.push(line.type === 'line' ? line.text : null);
	return lines;
}

async function* chunked(bytes: Buffer, sizes: readonly number[]): AsyncGenerator<Uint8Array> {
	let at = 0;
	for (let index = 0; at < bytes.length; index += 1) {
		const size = sizes[index % Math.max(1, sizes.length)] ?? bytes.length;
		yield bytes.subarray(at, at + size);
		at += size;
	}
}
