// A screen as a picture: every piece of text at its place on a grid, in the colours of a common dark palette.
import type { Colour, Style, StyledPiece, VirtualTerminal } from '@roost/testkit/rigs/terminal/virtual-terminal';

const CELL = { width: 8.4, height: 18 };
const EDGE = 12;
const BASELINE = 13.5;
const FONT = "ui-monospace, 'SF Mono', Menlo, Consolas, 'DejaVu Sans Mono', monospace";
const PAPER = '#16181d';
const INK = '#d6d9e0';

/** `title` is the text alternative. */
export function toSvg(terminal: VirtualTerminal, title: string): string {
	const { columns, rows } = terminal.size();
	const width = Math.ceil(columns * CELL.width + 2 * EDGE);
	const height = Math.ceil(rows * CELL.height + 2 * EDGE);
	const lines = terminal.styledScreen().flatMap((pieces, line) => pieces.map((piece) => pieceOf(piece, line)));
	return [
		`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img">`,
		`<title>${escapeXml(title)}</title>`,
		`<rect width="${width}" height="${height}" rx="8" fill="${PAPER}"/>`,
		`<g font-family="${FONT}" font-size="14" fill="${INK}">`,
		...lines.filter((line) => line !== ''),
		'</g>',
		'</svg>',
		'',
	].join('\n');
}

function pieceOf({ text, column, cells, style }: StyledPiece, line: number): string {
	const x = fixed(EDGE + column * CELL.width);
	const y = EDGE + line * CELL.height;
	const { ink, paper } = coloursOf(style);
	const width = fixed(cells * CELL.width);
	const bar = paper === PAPER ? '' : `<rect x="${x}" y="${fixed(y)}" width="${width}" height="${CELL.height}" fill="${paper}"/>`;
	if (text.trim() === '') return bar;
	const weight = style.bold ? ' font-weight="bold"' : '';
	const fill = ink === INK ? '' : ` fill="${ink}"`;
	const faint = style.dim ? ' opacity="0.6"' : '';
	// The length pins each piece to the grid, with any font.
	const place = `x="${x}" y="${fixed(y + BASELINE)}" textLength="${width}" lengthAdjust="spacingAndGlyphs"`;
	return `${bar}<text ${place}${fill}${weight}${faint} xml:space="preserve">${escapeXml(text)}</text>`;
}

function coloursOf({ foreground, background, inverse }: Style): { ink: string; paper: string } {
	const ink = toHex(foreground, INK);
	const paper = toHex(background, PAPER);
	return inverse ? { ink: paper, paper: ink } : { ink, paper };
}

const NAMED = [
	'#3b404b',
	'#f0717b',
	'#8fca6f',
	'#e5b95f',
	'#6ba8f5',
	'#c792ea',
	'#59c7d8',
	'#c3c8d2',
	'#737b8c',
	'#ff8b93',
	'#a8e08a',
	'#ffd580',
	'#8abfff',
	'#dcb0ff',
	'#7fe0ee',
	'#ffffff',
] as const;
const STEPS = [0, 95, 135, 175, 215, 255] as const;

/** The palette of 256: sixteen named colours, a cube of six steps, and greys. */
function toHex(colour: Colour, otherwise: string): string {
	if (colour === null) return otherwise;
	if (typeof colour === 'string') return colour;
	if (colour < 16) return NAMED[colour] ?? otherwise;
	if (colour >= 232) return hexOf(Array.from({ length: 3 }, () => 8 + (colour - 232) * 10));
	const place = colour - 16;
	return hexOf([Math.floor(place / 36), Math.floor(place / 6) % 6, place % 6].map((step) => STEPS[step] ?? 0));
}

function hexOf(parts: readonly number[]): string {
	return `#${parts.map((part) => part.toString(16).padStart(2, '0')).join('')}`;
}

function fixed(value: number): string {
	return String(Math.round(value * 10) / 10);
}

function escapeXml(text: string): string {
	return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}
