import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createLineFramer, type Frame, splitLines } from './lines.ts';

function frames(maxBytes: number, chunks: Buffer[]): Frame[] {
	const framer = createLineFramer(maxBytes);
	return [...chunks.flatMap((chunk) => framer.push(chunk)), ...framer.end()];
}

/** Splits bytes at the given positions. */
function cut(bytes: Buffer, borders: number[]): Buffer[] {
	const places = [0, ...borders.map((border) => border % (bytes.length + 1)).sort((a, b) => a - b), bytes.length];
	return places.slice(1).map((end, index) => bytes.subarray(places[index], end));
}

const line = fc.string({ unit: 'binary', maxLength: 40 }).map((text) => text.replace(/[\r\n]/g, ' '));
const ending = fc.constantFrom('\n', '\r\n');

describe('createLineFramer', () => {
	it('returns the same lines for any chunking, including multibyte characters', () => {
		fc.assert(
			fc.property(fc.array(fc.tuple(line, ending)), fc.array(fc.nat()), (lines, borders) => {
				const bytes = Buffer.from(lines.map(([text, end]) => text + end).join(''));
				const expected = lines.map(([text]) => Buffer.from(text).toString()).filter((text) => text !== '');
				expect(frames(1000, cut(bytes, borders))).toEqual(expected.map((text) => ({ type: 'line', text })));
			}),
			{ numRuns: process.env.ROOST_SOAK === '1' ? 20_000 : 300 },
		);
	});

	it('reports each line that is too long once, and continues, for any chunking', () => {
		fc.assert(
			fc.property(fc.array(fc.nat({ max: 30 }), { minLength: 1 }), fc.array(fc.nat()), (lengths, borders) => {
				const lines = lengths.map((length) => 'x'.repeat(length));
				const seen = frames(10, cut(Buffer.from(lines.map((text) => `${text}\n`).join('')), borders));
				const expected = lines.filter((text) => text !== '').map((text) => (text.length > 10 ? 'oversize' : 'line'));
				expect(seen.map((frame) => frame.type)).toEqual(expected);
			}),
		);
	});

	it('joins a character that is split between chunks', () => {
		const bytes = Buffer.from('→\n');
		expect(frames(10, [bytes.subarray(0, 1), bytes.subarray(1, 2), bytes.subarray(2)])).toEqual([{ type: 'line', text: '→' }]);
	});

	it('measures a line without its ending', () => {
		expect(frames(3, [Buffer.from('abc\r\nabcd\r\nabcd\n')]).map((frame) => frame.type)).toEqual([
			'line',
			'oversize',
			'oversize',
		]);
	});

	it('returns a last line without a newline', () => {
		expect(frames(10, [Buffer.from('a\nb')])).toEqual([
			{ type: 'line', text: 'a' },
			{ type: 'line', text: 'b' },
		]);
	});

	it('keeps the first bytes of a line that is too long, even if they arrive one by one', () => {
		const chunks = [...Buffer.from(`{"secret":"s"${'.'.repeat(9000)}\n`)].map((byte) => Buffer.from([byte]));
		expect(frames(5000, chunks)).toEqual([{ type: 'oversize', head: `{"secret":"s"${'.'.repeat(499)}` }]);
	});

	it('reports the length of an unfinished line, including one that is too long', () => {
		const framer = createLineFramer(3);
		const pending = ['a\nbc', 'd', 'efgh', '\n', '\r\n'].map((text) => {
			framer.push(Buffer.from(text));
			return framer.pending();
		});
		expect(pending).toEqual([2, 3, 7, 0, 0]);
	});
});

describe('splitLines', () => {
	it('yields every line, including empty ones, and marks those that are too long', async () => {
		async function* chunks() {
			for (const text of ['one\n\n', 'tw', 'o\r\n', 'x'.repeat(9), '\nlast']) yield Buffer.from(text);
		}
		const lines: string[] = [];
		for await (const frame of splitLines(chunks(), 5)) lines.push(frame.type === 'line' ? frame.text : frame.type);
		expect(lines).toEqual(['one', '', 'two', 'oversize', 'last']);
	});
});
