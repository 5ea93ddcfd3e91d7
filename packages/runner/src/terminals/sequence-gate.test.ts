import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createSequenceGate } from './sequence-gate.ts';

const SOAK = process.env.ROOST_SOAK !== undefined;
const LETTERS = 'aä€😀';
/** The two sequences of the test, by what stands around their ESC. */
const WHOLE = /\p{Cc}\[[\d;]*m|\p{Cc}\]8;;\P{Cc}*\p{Cc}\\/gu;

function pass(...chunks: (string | Buffer)[]): string {
	const gate = createSequenceGate();
	const out = chunks.map((chunk) => gate.push(Buffer.from(chunk)).bytes);
	return Buffer.concat([...out, gate.flush()]).toString();
}

/** The same text in two pieces, cut at every byte. */
function everyCut(text: string): string[] {
	const bytes = Buffer.from(text);
	return Array.from({ length: bytes.length + 1 }, (_, at) => pass(bytes.subarray(0, at), bytes.subarray(at)));
}

describe('what a program writes', () => {
	it('comes through whole, however it was cut', () => {
		const text = `${LETTERS}\x1b[1;31mred\x1b[0m\x1b]0;title\x07\x1bP$qm\x1b\\\x1b(B\x1b7\x1b[6n\u0085end`;
		for (const passed of everyCut(text)) expect(passed).toBe(text);
	});

	it('is byte for byte the same at random, even where it means nothing', () => {
		const bytes = fc.uint8Array({ minLength: 1, maxLength: 300 }).filter((all) => !all.includes(0x5d) && !all.includes(0x9d));
		fc.assert(
			fc.property(bytes, fc.array(fc.nat(300)), (all, cuts) => {
				const gate = createSequenceGate();
				const places = [0, ...cuts.filter((cut) => cut < all.length).toSorted((a, b) => a - b), all.length];
				const pieces = places.slice(1).map((end, index) => gate.push(Buffer.from(all.subarray(places[index] ?? 0, end))).bytes);
				const seen = Buffer.concat([...pieces, gate.flush()]);
				return seen.equals(Buffer.from(all)) || Buffer.from(all).includes('tmux;');
			}),
			{ numRuns: SOAK ? 20_000 : 300 },
		);
	});

	it('is never cut inside a character or a sequence', () => {
		const text = `${LETTERS}\x1b[38;5;196mx\x1b]8;;https://example.com\x1b\\y\x1b]8;;\x1b\\`;
		const bytes = Buffer.from(text);
		for (let at = 0; at <= bytes.length; at++) {
			const { bytes: first } = createSequenceGate().push(bytes.subarray(0, at));
			expect(first.toString()).not.toContain('\ufffd');
			expect(first.toString().replaceAll(WHOLE, '')).not.toContain('\x1b');
		}
	});

	it('reaches no clipboard, however that is spelled and cut', () => {
		for (const sequence of [
			'\x1b]52;c;aGVsbG8=\x07',
			'\x1b]52;c;?\x07',
			'\x1b]52;c;aGVsbG8=\x1b\\',
			'\x1b]052;c;aGVsbG8=\x07',
			'\x1b\n]52;c;aGVsbG8=\x07',
			'\u009d52;c;aGVsbG8=\u009c',
			'\x1b]5522;type=write\x07',
			'\x1b]1337;Copy=:aGVsbG8=\x07',
			'\x1bPtmux;\x1b\x1b]52;c;aGVsbG8=\x07\x1b\\',
			'\x1b]0;a\u009d52;c;aGVsbG8=\x07',
			'\x1b\u009d52;c;aGVsbG8=\x07',
			'\x1b[\u009d52;c;aGVsbG8=\x07',
			'\x1bP\x1b]52;c;aGVsbG8=\x07\x1b\\',
			`\x1b]52;c;${'A'.repeat(200_000)}\x07`,
		]) {
			const cuts =
				sequence.length > 1_000 ? [pass(`a${sequence}b`), pass(...chunksOf(`a${sequence}b`, 999))] : everyCut(`a${sequence}b`);
			for (const passed of cuts) {
				expect(passed, JSON.stringify(sequence.slice(0, 40))).not.toMatch(/52|Copy|aGVs|AAAA/);
				expect(passed.startsWith('a') && passed.endsWith('b')).toBe(true);
			}
		}
	});

	it('links only to the web', () => {
		const link = (uri: string) => `\x1b]8;id=1;${uri}\x1b\\click\x1b]8;;\x1b\\`;
		for (const uri of ['https://example.com/a?b=c;d', 'http://example.com', 'HTTPS://EXAMPLE.COM']) {
			for (const passed of everyCut(link(uri))) expect(passed).toBe(link(uri));
		}
		for (const uri of [
			'javascript:alert(1)',
			'file:///etc/passwd',
			' javascript:x',
			'httpx://a',
			'vscode://x',
			'//example.com',
		]) {
			for (const passed of everyCut(link(uri))) expect(passed).toBe('click\x1b]8;;\x1b\\');
		}
		for (const pad of [4_091, 4_092, 4_093, 4_094]) {
			expect(pass(`\x1b]8;${'x'.repeat(pad)};javascript:x\x07`), String(pad)).toBe('');
		}
	});

	it('passes a picture as it comes, and says that it is not a clean place', () => {
		const gate = createSequenceGate();
		const picture = `\x1bPq${'~'.repeat(200_000)}`;
		expect(gate.push(Buffer.from(picture))).toEqual({ bytes: Buffer.from(picture), clean: false });
		expect(gate.push(Buffer.from('\x07~\x1b\\done'))).toEqual({ bytes: Buffer.from('\x07~\x1b\\done'), clean: true });
	});

	it('can be made clean where a sequence does not end', () => {
		const gate = createSequenceGate();
		gate.push(Buffer.from(`\x1bPq${'~'.repeat(200_000)}`));
		expect(gate.cancel()).toEqual(Buffer.from([0x18]));
		expect(gate.push(Buffer.from('~~~'))).toEqual({ bytes: Buffer.alloc(0), clean: true });
		expect(gate.push(Buffer.from('~\x1b\\done')).bytes.toString()).toBe('done');
		expect(gate.cancel()).toEqual(Buffer.alloc(0));
	});
});

function chunksOf(text: string, size: number): string[] {
	return Array.from({ length: Math.ceil(text.length / size) }, (_, index) => text.slice(index * size, (index + 1) * size));
}
