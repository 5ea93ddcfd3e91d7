import { encode } from 'uqr';
import { expect, it } from 'vitest';
import { toQrLines } from './qr-code.ts';

const LINK = `https://a-desktop-with-a-long-name.tail1234.ts.net/#ticket=${'k'.repeat(43)}`;

it('draws the modules of the link, in colours and without', () => {
	const { data } = encode(LINK, { ecc: 'L', border: 2 });
	const coloured = toQrLines(LINK, { colour: true });
	expect(coloured.every((line) => line.startsWith('\x1b[38;5;16;48;5;231m') && line.endsWith('\x1b[0m'))).toBe(true);
	const drawn = coloured.map((line) => line.slice('\x1b[38;5;16;48;5;231m'.length, -'\x1b[0m'.length));
	expect(toModules(drawn, true).slice(0, data.length)).toEqual(data);
	expect(toModules(toQrLines(LINK, { colour: false }), false).slice(0, data.length)).toEqual(data);
});

it('fits 80 columns and 24 lines, and has no control character without colours', () => {
	const lines = toQrLines(LINK, { colour: false });
	expect(lines.length).toBeLessThanOrEqual(23);
	for (const line of lines) expect(line).toMatch(/^[█▀▄ ]{1,80}$/);
});

/** `dark`: whether a drawn half is a dark module. */
function toModules(lines: readonly string[], dark: boolean): boolean[][] {
	return lines.flatMap((line) => [
		[...line].map((cell) => '█▀'.includes(cell) === dark),
		[...line].map((cell) => '█▄'.includes(cell) === dark),
	]);
}
