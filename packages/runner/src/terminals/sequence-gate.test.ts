import headless from '@xterm/headless';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createSequenceGate } from './sequence-gate.ts';

const SOAK = process.env.ROOST_SOAK !== undefined;
const LETTERS = 'aä€😀';
/** The two sequences of the test, by the characters around their ESC. */
const WHOLE = /\p{Cc}\[[\d;]*m|\p{Cc}\]8;;\P{Cc}*\p{Cc}\\/gu;

function pass(...chunks: (string | Buffer)[]): string {
	const gate = createSequenceGate();
	const out = chunks.map((chunk) => {
		const bytes = Buffer.from(chunk);
		const gated = Buffer.from(gate.push(bytes).bytes);
		// The caller reuses the memory.
		bytes.fill('?');
		return gated;
	});
	return Buffer.concat([...out, gate.flush()]).toString();
}

/** Parts of blocked sequences, and bytes that terminals ignore inside them. */
const PARTS = [
	...['\x1b', '\x1b]', '\xc2\x9d', ']', '\x1bP', '\x1b[', 'tmux;', '\xc2', '\xe2\x80', '\xff', '\xef\xbb\xbf', '\xc3\xa9'],
	...['5', '2', '52', '52;c;aGk=', '8;;', '8;a', ';', '1337;', 'C', 'Copy=:aGk=', 'javascript:x', 'https://a.b'],
	...['\x00', '\x01', '\x7f', '\x18', '\n', '\x07', '\x1b\\', '\xc2\x9c', '0', '0000000'],
];

function passed(chunks: readonly Buffer[]): Buffer {
	const gate = createSequenceGate();
	return Buffer.concat([...chunks.map((chunk) => gate.push(chunk).bytes), gate.flush()]);
}

/** A terminal that records the blocked actions it would perform. */
function openReached() {
	const terminal = new headless.Terminal({ allowProposedApi: true, logLevel: 'off' });
	const reached: string[] = [];
	const refuse = (command: number, isRefused: (text: string) => boolean) =>
		terminal.parser.registerOscHandler(command, (text) => {
			if (isRefused(text)) reached.push(`${command};${text}`);
			return true;
		});
	for (const command of [52, 5522]) refuse(command, () => true);
	refuse(1337, (text) => /^Copy/.test(text));
	refuse(8, (text) => text.includes(';') && !/^[^;]*;(https?:|$)/.test(text));
	return {
		reached,
		/** Followed by the reset that `roost attach` writes after the program has ended. */
		write: (bytes: Buffer) => new Promise<void>((resolve) => terminal.write(Buffer.concat([bytes, RESET]), resolve)),
		[Symbol.dispose]: () => terminal.dispose(),
	};
}

const RESET = Buffer.from('\x1b[0m');

/** The same text in two chunks, split at every byte. */
function everyCut(text: string): string[] {
	const bytes = Buffer.from(text);
	return Array.from({ length: bytes.length + 1 }, (_, at) => pass(bytes.subarray(0, at), bytes.subarray(at)));
}

describe('output of a program', () => {
	it('passes completely, wherever it is split', () => {
		const text = `${LETTERS}\x1b[1;31mred\x1b[0m\x1b]0;title\x07\x1bP$qm\x1b\\\x1b(B\x1b7\x1b[6n\u0085end`;
		for (const passed of everyCut(text)) expect(passed).toBe(text);
	});

	it('passes byte for byte at random, even if it is meaningless', () => {
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

	it('is never split inside a character or a sequence', () => {
		const text = `${LETTERS}\x1b[38;5;196mx\x1b]8;;https://example.com\x1b\\y\x1b]8;;\x1b\\`;
		const bytes = Buffer.from(text);
		for (let at = 0; at <= bytes.length; at++) {
			const { bytes: first } = createSequenceGate().push(bytes.subarray(0, at));
			expect(first.toString()).not.toContain('\ufffd');
			expect(first.toString().replaceAll(WHOLE, '')).not.toContain('\x1b');
		}
	});

	it('reaches no clipboard, in any spelling and however it is split', () => {
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
			'\x1b]5\x002;c;aGVsbG8=\x07',
			'\x1b]\x0052;c;aGVsbG8=\x07',
			'\x1b]\x7f52;c;aGVsbG8=\x07',
			'\x1b]5\ufeff2;c;aGVsbG8=\x07',
			'\x1b]4294967348;c;aGVsbG8=\x07',
			'\x1b\ufeff]52;c;aGVsbG8=\x07',
			'\x1bé]52;c;aGVsbG8=\x07',
			'\u009d5\x1f2;c;aGVsbG8=\u009c',
			'\x1b]13\x0137;Copy=:aGVsbG8=\x07',
			'\x1b]1337;C\x01opy=:aGVsbG8=\x07',
			'\x1b]50;CopyToClipboard=aGVsbG8=\x07',
			'\x1bP\x001tmux;aGVsbG8=\x1b\\',
			`\x1b]${'0'.repeat(5_000)}52;c;aGVsbG8=\x07`,
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

	it.each([
		['invalid UTF-8 between its digits', '\x1b]5\xff2;c;aGk=\x07'],
		['an incomplete character after its ESC', '\x1b\xc2]52;c;aGk=\x07'],
		['more bytes after its ESC than are buffered', `\x1b${'\0'.repeat(70_000)}]52;c;aGk=\x07`],
		['another sequence removed from inside it', '\x1b]\x1b]52;c;aGk=\x0752;c;aGk=\x07'],
		['another sequence removed after its ESC', '\x1b\x1b]52;c;aGk=\x07]52;c;aGk=\x07'],
		['another sequence removed from inside its first character', '\xc2\x1b]52;c;aGk=\x07\x9d52;c;aGk=\x07'],
		['a long sequence removed from inside it', `\x1b]\x1b]52;c;${'A'.repeat(70_000)}\x0752;c;aGk=\x07`],
		['no terminator before the next writer', '\x1b]52;c;aGk='],
	])('reaches no clipboard with %s', async (_, sequence) => {
		using terminal = openReached();
		await terminal.write(passed(chunksOf(sequence, 999).map((chunk) => Buffer.from(chunk, 'latin1'))));
		expect(terminal.reached).toEqual([]);
	});

	it('triggers no filtered action in a terminal, for any combination of parts', async () => {
		const part = fc.oneof(
			{ weight: 8, arbitrary: fc.constantFrom(...PARTS.map((text) => Buffer.from(text, 'latin1'))) },
			{ weight: 1, arbitrary: fc.uint8Array({ min: 0x7f, minLength: 1, maxLength: 2 }) },
		);
		using terminal = openReached();
		await fc.assert(
			fc.asyncProperty(fc.array(part, { maxLength: 60 }), async (parts) => {
				terminal.reached.length = 0;
				await terminal.write(passed(parts.map((bytes) => Buffer.from(bytes))));
				return terminal.reached.length === 0;
			}),
			{ numRuns: SOAK ? 100_000 : 500 },
		);
	});

	it('links only to web URLs', () => {
		const link = (uri: string) => `\x1b]8;id=1;${uri}\x1b\\click\x1b]8;;\x1b\\`;
		for (const uri of ['https://example.com/a?b=c;d', 'http://example.com', 'HTTPS://EXAMPLE.COM']) {
			for (const passed of everyCut(link(uri))) expect(passed).toBe(link(uri));
		}
		for (const uri of [
			'javascript:alert(1)',
			'file:///etc/passwd',
			' javascript:x',
			'\x00javascript:x',
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

	it('passes an image in pieces, and marks them as unclean', () => {
		const gate = createSequenceGate();
		const picture = `\x1bPq${'~'.repeat(200_000)}`;
		expect(gate.push(Buffer.from(picture))).toEqual({ bytes: Buffer.from(picture), clean: false });
		expect(gate.push(Buffer.from('\x07~\x1b\\done'))).toEqual({ bytes: Buffer.from('\x07~\x1b\\done'), clean: true });
	});

	it('can be cancelled inside an endless sequence', () => {
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
