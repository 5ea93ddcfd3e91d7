// How wide text is on a terminal, and how it is cut without breaking a character.
import stringWidth from 'string-width';

const PLAIN = /^[\x20-\x7e]*$/;
const graphemes = new Intl.Segmenter(undefined, { granularity: 'grapheme' });

export function isPlain(text: string): boolean {
	return PLAIN.test(text);
}

export function widthOf(text: string): number {
	if (isPlain(text)) return text.length;
	return text.length <= LONGEST_REMEMBERED ? rememberedWidth(text) : measure(text);
}

// Some sequences are one character to a reader but take columns of their own on a terminal: a skin tone after no emoji,
// a vowel sign, a prefix of a script. They are measured separately.
const APART =
	/(?=[\u0e33\u0eb3])|(?<!\p{Emoji_Modifier_Base}\ufe0f?)(?=\p{Emoji_Modifier})|(?<=[\u0d4e\u{111c2}\u{111c3}\u{113d1}\u{1193f}\u{11941}\u{11a84}-\u{11a89}\u{11d46}\u{11f02}])/u;

function measure(text: string): number {
	if (!APART.test(text)) return stringWidth(text);
	return text.split(APART).reduce((sum, part) => sum + stringWidth(part), 0);
}

const widths = new Map<string, number>();
const MOST_REMEMBERED = 2_000;
const LONGEST_REMEMBERED = 64;

function rememberedWidth(text: string): number {
	const known = widths.get(text);
	if (known !== undefined) return known;
	const width = measure(text);
	if (widths.size >= MOST_REMEMBERED) widths.clear();
	widths.set(text, width);
	return width;
}

/** As many whole characters as fit. */
export function cut(text: string, width: number): string {
	if (PLAIN.test(text)) return text.slice(0, Math.max(0, width));
	let taken = '';
	let used = 0;
	for (const { segment } of graphemes.segment(text)) {
		used += widthOf(segment);
		if (used > width) break;
		taken += segment;
	}
	return taken;
}

/** The same with an ellipsis. */
export function cutWithSign(text: string, width: number, sign: string): string {
	return width <= sign.length ? cut(sign, width) : `${cut(text, width - sign.length)}${sign}`;
}

const TAB = 4;

export function expandTabs(line: string): string {
	if (!line.includes('\t')) return line;
	let column = 0;
	return line
		.split(/(\t)/)
		.map((part) => {
			const shown = part === '\t' ? ' '.repeat(TAB - (column % TAB)) : part;
			column += widthOf(shown);
			return shown;
		})
		.join('');
}
