// Text that tries to break out of its place on a screen: all control characters, escape sequences, hidden and reordered text, and huge text.

/** Well over 300, always the same. */
export function hostileStrings(): string[] {
	const characters = HOSTILE.map((code) => String.fromCodePoint(code));
	return [
		...characters.map((character) => `rm -rf ${character}/home`),
		...characters.filter((_, index) => index % 4 === 0).map((character) => `${character}${character}日本${character}語`),
		...SEQUENCES.flatMap((sequence) => [
			sequence,
			`before ${sequence} after`,
			`**a${sequence}b**\n\`\`\`\n${sequence}\n| ${sequence} |`,
		]),
		...WIDE,
		...LONG,
	];
}

function range(from: number, to: number): number[] {
	return Array.from({ length: to - from + 1 }, (_, at) => from + at);
}

const HOSTILE: readonly number[] = [
	...[...range(0x00, 0x1f), ...range(0x7f, 0x9f), 0xad, 0x34f, 0x61c, 0x115f, 0x1160, 0x180e],
	...[...range(0x200b, 0x200f), ...range(0x2028, 0x202e), ...range(0x2060, 0x206f), 0x3164, 0xfe0f, 0xfeff, 0xffa0],
	...[...range(0xfff9, 0xfffb), ...range(0xe0001, 0xe0040), 0xe007f, 0xe0100, 0xd800, 0xdbff, 0xdc00, 0xdfff],
];

const ESC = '\u001b';

const SEQUENCES: readonly string[] = [
	...['[2J', '[H', '[1;1H', '[6n', '[c', '[31m', '[0m', '[?1049l', '[?25h', '[1A', '[999D', '[K', '[2K', '[3J', '[!p'].map(
		(end) => `${ESC}${end}`,
	),
	...[']0;title\u0007', ']52;c;cm0gLXJm\u0007', ']52;c;?\u0007', ']8;;javascript:x\u0007link', ']1337;File=x\u0007'].map(
		(end) => `${ESC}${end}`,
	),
	...['Pq#0~', '_x', '^x', 'c', '7', '8', '(0', 'N'].map((end) => `${ESC}${end}${ESC}\\`),
	...['\u009b2J', '\u009d0;x\u009c', '\u0090q\u009c', '\r\n\r', '\rallow', 'a\b\b\bb', 'a\tb\tc', '\n\n\n'],
];

const WIDE: readonly string[] = [
	'日本語のテキスト'.repeat(12),
	'👩‍🚀👨‍👩‍👧‍👦🏳️‍🌈'.repeat(8),
	'e\u0301'.repeat(90),
	'x\u0300\u0301\u0302\u0303\u0304'.repeat(60),
	'🇩🇪🇫🇷'.repeat(30),
	'\u202eevil\u202c'.repeat(9),
	'한국어 ไทย العربية हिन्दी',
	'｟ﾊﾝｶｸ｠',
];

const LONG: readonly string[] = [
	'x'.repeat(9_000),
	'word '.repeat(2_000),
	' '.repeat(5_000),
	'\u0301'.repeat(5_000),
	'👍🏽'.repeat(2_000),
	`${ESC}[31m`.repeat(1_000),
	'\n'.repeat(500),
	'*'.repeat(3_000),
	'`'.repeat(3_000),
	'|'.repeat(2_000),
	'['.repeat(2_000),
];
