// A link as a QR code for a terminal: two modules per character, so that it fits a screen of 80 by 24.
import { encode } from 'uqr';

/** Light modules around the code; with four, as the standard says, the code of a long address would not fit. */
const BORDER = 2;

/** Black on white, whatever the colours of the terminal are. */
const COLOURS = ['\x1b[38;5;16;48;5;231m', '\x1b[0m'] as const;

/** Without colours the light modules are drawn, as most terminals are dark; phones read inverted codes too. */
export function toQrLines(text: string, { colour }: { colour: boolean }): string[] {
	const { data } = encode(text, { ecc: 'L', border: BORDER });
	const draws = (row: number, column: number) => (data[row]?.[column] ?? false) === colour;
	const [before, after] = colour ? COLOURS : ['', ''];
	return Array.from({ length: Math.ceil(data.length / 2) }, (_, line) => {
		const cells = Array.from(data, (_row, column) => toCell(draws(2 * line, column), draws(2 * line + 1, column)));
		return `${before}${cells.join('')}${after}`;
	});
}

function toCell(upper: boolean, lower: boolean): string {
	if (upper) return lower ? '█' : '▀';
	return lower ? '▄' : ' ';
}
