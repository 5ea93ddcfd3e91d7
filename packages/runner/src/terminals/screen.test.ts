import { createTerminalLook } from '@roost/testkit/rigs/terminal/terminal-look';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createScreen, type Screen } from './screen.ts';
import { createSequenceGate } from './sequence-gate.ts';

const SIZE = { cols: 20, rows: 6 };
const RUNS = process.env.ROOST_SOAK ? 5_000 : 60;

function openScreen(over: { size?: typeof SIZE; scrollbackLines?: number; replies?: string[] } = {}): Screen {
	const { size = SIZE, scrollbackLines = 50, replies = [] } = over;
	return createScreen({ size, scrollbackLines, onReply: (text) => replies.push(text), onRead: () => {} });
}

async function lookOf(size: typeof SIZE, ...pieces: Buffer[]): Promise<unknown> {
	using terminal = createTerminalLook(size);
	for (const piece of pieces) await terminal.write(piece);
	return terminal.look();
}

const ENTER = '\x1b[0m\x1b(B\x1b[?1049h';
const LEAVE = '\x1b[?1049l';
const number = fc.integer({ min: 1, max: 22 });
/** With wrapping off the headless terminal keeps half of a wide letter in the last column, which no bytes draw again. */
const isDrawable = (text: readonly string[]) => !(text.includes('\x1b[?7l') && /[漢😀]/u.test(text.join('')));

const fragment = fc.oneof(
	fc.string({ unit: fc.constantFrom('a', 'Z', ' ', 'é', '€', '漢', '😀', '\t'), minLength: 1, maxLength: 30 }),
	fc.constantFrom('\r\n', '\n', '\r', '\b', '\r\n\r\n', `${'x'.repeat(20)}`),
	fc.tuple(number, number).map(([row, column]) => `\x1b[${row};${column}H`),
	fc
		.tuple(number, fc.constantFrom('A', 'B', 'C', 'D', 'G', 'd', 'X', 'P', '@', 'L', 'M', 'S', 'T'))
		.map(([n, final]) => `\x1b[${n}${final}`),
	fc.constantFrom('\x1b[J', '\x1b[2J', '\x1b[K', '\x1b[1K', '\x1bM', '\x1bD', '\x1bE'),
	fc.constantFrom('\x1b[0m', '\x1b[1m', '\x1b[7m', '\x1b[31m', '\x1b[48;5;200m', '\x1b[38;2;1;2;3m', '\x1b[4m', '\x1b[44m'),
	fc.constantFrom(ENTER, LEAVE, '\x1b[?25l', '\x1b[?25h', '\x1b[?1h', '\x1b[?2004h', '\x1b[?1000h', '\x1b[?1006h'),
	fc.constantFrom('\x1b[2;5r', '\x1b[r', '\x1b[3;4r', '\x1b[?6h', '\x1b[?6l', '\x1b[4h', '\x1b[4l', '\x1b[?7l', '\x1b[?7h'),
	fc.constantFrom('\x1b(0', '\x1b(B', 'lqk', '\x1b]0;title\x07', '\x1b]2;ünïcode\x1b\\', '\x1b[6n', '\x1b[c', '\x1b[3 q'),
);

/** Programs enter the alternate screen in the default state, and leave it once. */
function inTurn(fragments: readonly string[]): string {
	let alternate = false;
	return fragments
		.map((text) => {
			if (text !== ENTER && text !== LEAVE) return text;
			if (alternate === (text === ENTER)) return '';
			alternate = !alternate;
			return text;
		})
		.join('');
}

describe('snapshot', () => {
	it('does not colour the rest of a line into which a coloured word wrapped at the bottom of the screen', async () => {
		using screen = openScreen();
		const bytes = Buffer.from(`\x1b[6H${'x'.repeat(30)}\x1bD\x1bM\x1b[44m${'y'.repeat(11)}`);
		screen.write(bytes);
		const snapshot = await screen.snapshot({ scrollback: 50 });
		expect(await lookOf(SIZE, snapshot.bytes)).toEqual(await lookOf(SIZE, bytes));
	});

	it('followed by later output looks like the whole output, wherever the bytes were split', async () => {
		const cases = fc.record({
			text: fc.array(fragment, { minLength: 1, maxLength: 40 }).filter(isDrawable),
			cuts: fc.array(fc.nat(400)),
			at: fc.nat(20),
		});
		await fc.assert(
			fc.asyncProperty(cases, async ({ text, cuts, at }) => {
				const all = Buffer.from(inTurn(text));
				const gate = createSequenceGate();
				using screen = openScreen();
				const places = [0, ...cuts.filter((cut) => cut < all.length).toSorted((a, b) => a - b), all.length];
				const pieces = places.slice(1).map((end, index) => gate.push(all.subarray(places[index] ?? 0, end)).bytes);
				const before = pieces.slice(0, at);
				for (const piece of before) screen.write(piece);
				const taken = screen.snapshot({ scrollback: 50 });
				for (const piece of pieces.slice(at)) screen.write(piece);
				const snapshot = await taken;
				const written = Buffer.concat(pieces);
				expect(snapshot.position).toBe(Buffer.concat(before).length);
				const rest = written.subarray(snapshot.position);
				expect(await lookOf(SIZE, snapshot.bytes, rest)).toEqual(await lookOf(SIZE, written));
			}),
			{ numRuns: RUNS },
		);
	});

	it('draws the alternate screen and keeps the normal screen', async () => {
		using screen = openScreen();
		const before = Buffer.from('one\r\ntwo\x1b[?1049h\x1b[H\x1b[32mfull screen\x1b[3;4H');
		screen.write(before);
		const { bytes } = await screen.snapshot({ scrollback: 0 });
		const after = Buffer.from('\x1b[0m\x1b[?1049lthree');
		expect(await lookOf(SIZE, bytes)).toEqual(await lookOf(SIZE, before));
		expect(await lookOf(SIZE, bytes, after)).toEqual(await lookOf(SIZE, before, after));
	});

	it('keeps the margins of each screen separate', async () => {
		using screen = openScreen();
		const before = Buffer.from('\x1b[2;5rone\x1b[?1049h\x1b[?6h\x1b[H\x1b[3;4r\x1b[2;1Htwo');
		screen.write(before);
		const { bytes } = await screen.snapshot({ scrollback: 0 });
		const after = Buffer.from('\x1b[?6l\x1b[?1049l\x1b[5;1Hthree\nfour\nfive');
		expect(await lookOf(SIZE, bytes)).toEqual(await lookOf(SIZE, before));
		expect(await lookOf(SIZE, bytes, after)).toEqual(await lookOf(SIZE, before, after));
	});

	it.each(['a漢a\x1b[7m\x1b[Haa', '漢\x1b[4m\x1b[Ha'])(
		'draws the rest of a wide character that was half overwritten: %j',
		async (text) => {
			using screen = openScreen();
			screen.write(Buffer.from(text));
			const { bytes } = await screen.snapshot({ scrollback: 0 });
			expect(await lookOf(SIZE, bytes)).toEqual(await lookOf(SIZE, Buffer.from(text)));
		},
	);

	it.each(['漢b\x1b[1;2H\x1b[1@', '漢\b\x1b[1@\x1b[2;5r', '漢漢b\x1b[1;2H\x1b[44m\x1b[2@'])(
		'keeps the columns after half of a wide character that an insertion cut off: %j',
		async (text) => {
			using screen = openScreen();
			screen.write(Buffer.from(text));
			const { bytes } = await screen.snapshot({ scrollback: 0 });
			expect(await lookOf(SIZE, bytes)).toEqual(await lookOf(SIZE, Buffer.from(text)));
		},
	);

	it('includes the requested amount of scrollback', async () => {
		using screen = openScreen();
		screen.write(Buffer.from(Array.from({ length: 40 }, (_, line) => `line ${line}\r\n`).join('')));
		const { bytes } = await screen.snapshot({ scrollback: 10 });
		expect(bytes.toString()).toContain('line 25');
		expect(bytes.toString()).not.toContain('line 24');
	});

	it('ends at the cursor, even if lines were dropped from the scrollback', async () => {
		using screen = openScreen();
		const text = Buffer.from(`${Array.from({ length: 100 }, (_, n) => `row ${n}\r\n`).join('')}\x1b[31mprompt> `);
		screen.write(text);
		expect(await lookOf(SIZE, (await screen.snapshot({ scrollback: 50 })).bytes)).toEqual(await lookOf(SIZE, text));
	});

	it('has the size of the terminal at that time', async () => {
		using screen = openScreen();
		screen.write(Buffer.from('before'));
		const first = screen.snapshot({ scrollback: 0 });
		screen.resize({ cols: 40, rows: 10 });
		screen.write(Buffer.from(' after'));
		expect(await first).toMatchObject({ position: 6, size: SIZE });
		expect(await screen.snapshot({ scrollback: 0 })).toMatchObject({ position: 12, size: { cols: 40, rows: 10 } });
	});

	it('contains no query, no unsafe link and no clipboard sequence', async () => {
		const replies: string[] = [];
		const gate = createSequenceGate();
		using screen = openScreen({ replies });
		using viewer = createTerminalLook(SIZE);
		screen.write(
			gate.push(Buffer.from('\x1b[6n\x1b[c\x1b]52;c;?\x07\x1b]52;c;aGk=\x07\x1b]8;;javascript:x\x07link\x1b]8;;\x07')).bytes,
		);
		const { bytes } = await screen.snapshot({ scrollback: 0 });
		await viewer.write(bytes);
		expect(viewer.replies).toEqual([]);
		expect(bytes.toString()).not.toMatch(/52;|javascript|\[6n|\[c/);
		expect(replies).toEqual(['\x1b[1;1R', '\x1b[?1;2c']);
	});
});

describe('text of a screen', () => {
	it('contains the visible lines of the active screen without the scrollback', async () => {
		using screen = openScreen();
		screen.write(Buffer.from(Array.from({ length: 8 }, (_, at) => `\x1b[31mrow ${at}\x1b[0m`).join('\r\n')));
		await screen.snapshot({ scrollback: 0 });
		expect(screen.lines()).toEqual(['row 2', 'row 3', 'row 4', 'row 5', 'row 6', 'row 7']);
		screen.write(Buffer.from('\x1b[?1049h\x1b[2;3Hfull 漢'));
		await screen.snapshot({ scrollback: 0 });
		expect(screen.lines()).toEqual(['', '  full 漢', '', '', '', '']);
	});
});

describe('error in the terminal library', () => {
	it('does not prevent later output', async () => {
		using screen = openScreen();
		// For the cell left of the last one, the library accesses a line that does not exist.
		screen.write(Buffer.from('\x1b[?1049h\x1b[6;20Hx\x1b[1J\x1b[6;20H\x1b[1J'));
		screen.write(Buffer.from('still here'));
		expect((await screen.snapshot({ scrollback: 0 })).bytes.toString()).toContain('still here');
	});
});

describe('flood of output', () => {
	it('with huge repeat counts is limited to the screen, and looks the same', async () => {
		const all = { L: 6, M: 6, S: 6, T: 6, Z: 20, b: 20 * 56 };
		for (const [final, most] of Object.entries(all)) {
			const text = (count: number) => Buffer.from(`one\r\ntwo\r\n\x1b[31m three\x1b[${count}${final}end`);
			using screen = openScreen();
			screen.write(text(2_147_483_647));
			expect(await lookOf(SIZE, (await screen.snapshot({ scrollback: 50 })).bytes), final).toEqual(
				await lookOf(SIZE, text(most)),
			);
		}
	});

	it('looks the same if invisible output is skipped', async () => {
		const line = (n: number) => `${n} ${'漢字 text '.repeat(n % 4)}\r\n`;
		const pieces = Array.from({ length: 60 }, (_, piece) =>
			Buffer.from(Array.from({ length: 1_000 }, (__, n) => line(piece * 1_000 + n)).join('')),
		);
		using screen = openScreen();
		using slow = openScreen();
		const all = [Buffer.from('\x1b[33mstart\r\n'), ...pieces, Buffer.from('prompt> ')];
		for (const piece of all) screen.write(piece);
		const snapshot = await screen.snapshot({ scrollback: 50 });
		for (const piece of all) {
			slow.write(piece);
			await slow.snapshot({ scrollback: 0 });
		}
		expect(snapshot).toEqual(await slow.snapshot({ scrollback: 50 }));
	});

	it('inside margins is processed completely', async () => {
		const flood = Buffer.from(`kept\r\n\x1b[2;4r\x1b[4;1H${'abc\r\n'.repeat(120_000)}`);
		using screen = openScreen();
		for (let at = 0; at < flood.length; at += 65_536) screen.write(flood.subarray(at, at + 65_536));
		const { bytes } = await screen.snapshot({ scrollback: 0 });
		expect(await lookOf(SIZE, bytes)).toEqual(await lookOf(SIZE, flood));
	});
});
