import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { sanitiseBlock, sanitiseLine } from './sanitise.ts';

const range = (from: number, to: number): number[] => Array.from({ length: to - from + 1 }, (_, at) => from + at);
const HOSTILE = [
	...[...range(0x00, 0x1f), ...range(0x7f, 0x9f), 0xad, 0x34f, 0x61c, 0x115f, 0x1160, 0x17b4, 0x17b5, ...range(0x180b, 0x180f)],
	...[
		...range(0x200b, 0x200f),
		...range(0x2028, 0x202e),
		...range(0x2060, 0x206f),
		0x3164,
		...range(0xfe00, 0xfe0f),
		0xfeff,
		0xffa0,
	],
	...[
		...range(0xfff9, 0xfffb),
		...range(0x1d173, 0x1d17a),
		...range(0xe0000, 0xe007f),
		...range(0xe0100, 0xe01ef),
		0xd800,
		0xdbff,
		0xdc00,
		0xdfff,
	],
];
const TEMPLATES = [
	(c: string) => c,
	(c: string) => `rm -rf ${c}/home`,
	(c: string) => `${c}${c}x`,
	(c: string) => `日本${c}語`,
	(c: string) => `x${c}`,
];

describe('hostile text', () => {
	const strings = HOSTILE.flatMap((code) => TEMPLATES.map((template) => template(String.fromCodePoint(code))));

	it(`is escaped: each of ${strings.length} strings`, () => {
		expect(strings.length).toBeGreaterThan(300);
		for (const text of strings) {
			expect(hostileIn(sanitiseLine(text)), JSON.stringify(text)).toEqual([]);
			expect(hostileIn(sanitiseBlock(text).replace(/[\n\t]/g, '')), JSON.stringify(text)).toEqual([]);
		}
	});

	it.each([
		['a\nb\tc\rd', 'a\\nb\\tc\\rd'],
		['\u001b[2J\u001b]52;c;x\u0007', '\\x1b[2J\\x1b]52;c;x\\x07'],
		['\u009b31m', '\\x9b31m'],
		['safe \u202egnp.exe', 'safe \\u{202e}gnp.exe'],
		['a\u200bb\ufeffc', 'a\\u{200b}b\\u{feff}c'],
		['x\u{e0041}\u{e007f}', 'x\\u{e0041}\\u{e007f}'],
		['a\ufe0fb', 'a\\u{fe0f}b'],
		['\ud800x', '\\u{d800}x'],
		['a\u2028b', 'a\\u{2028}b'],
		['rm\u200d x', 'rm\\u{200d} x'],
		['👩\u200d\u200d🚀', '👩\\u{200d}\\u{200d}🚀'],
		['❤\ufe0f\ufe0f', '❤\ufe0f\\u{fe0f}'],
		['1\ufe0fx', '1\\u{fe0f}x'],
		['🏴\u{e0067}', '🏴\\u{e0067}'],
	])('%j is shown as %j', (text, shown) => {
		expect(sanitiseLine(text)).toBe(shown);
	});

	it('keeps only newlines and tabs in a block', () => {
		expect(sanitiseBlock('a\n\tb\r\nc\u0000')).toBe('a\n\tb\\r\nc\\x00');
	});
});

describe('ordinary text', () => {
	it.each([
		'ls -la | grep "x" && echo \\x1b',
		'Grüße, naïve café e\u0301',
		'日本語 한국어 ภาษาไทย हिन्दी עברית العربية',
		'👩‍🚀 👨‍👩‍👧‍👦 🏳️‍🌈 ❤️‍🔥 👍🏽 👩🏽‍💻 🇩🇪 1️⃣ ☎︎ ✔️ 👁️‍🗨️',
		'∑ → ≠ “quotes” – dash … nbsp\u00a0x',
		'𝕳 𐍈 😀',
		'',
	])('leaves %j unchanged', (text) => {
		expect(sanitiseLine(text)).toBe(text);
		expect(sanitiseBlock(text)).toBe(text);
	});
});

describe('arbitrary text', () => {
	const unit = fc.oneof(
		fc.constantFrom(
			...HOSTILE.map((code) => String.fromCodePoint(code)),
			'👩',
			'❤',
			'🏽',
			'1',
			'\u20e3',
			'\u200d',
			'\ufe0f',
			'\\',
			'x',
		),
		fc.string({ unit: 'binary', maxLength: 1 }),
	);
	const text = fc.array(unit, { maxLength: 20 }).map((parts) => parts.join(''));

	it('contains no hostile code point once sanitised, and is not changed by a second pass', () => {
		fc.assert(
			fc.property(text, (raw) => {
				const line = sanitiseLine(raw);
				const block = sanitiseBlock(raw);
				expect(hostileIn(line)).toEqual([]);
				expect(hostileIn(block.replace(/[\n\t]/g, '.'))).toEqual([]);
				expect(sanitiseLine(line)).toBe(line);
				expect(sanitiseBlock(block)).toBe(block);
			}),
			{ numRuns: 1_000 },
		);
	});

	it('keeps every visible character in order', () => {
		fc.assert(
			fc.property(
				fc.array(fc.constantFrom('a', 'é', '語', '\u202e', '\u0000', '\u200b', '\u001b'), { maxLength: 30 }),
				(parts) => {
					const visible = parts.filter((part) => /[aé語]/.test(part)).join('');
					expect(sanitiseLine(parts.join('')).replace(/\\x[0-9a-f]{2}|\\u\{[0-9a-f]+\}/g, '')).toBe(visible);
				},
			),
		);
	});
});

/** An independent implementation: hostile code points, except those that belong to an emoji. */
function hostileIn(text: string): number[] {
	const points = [...text].map((character) => character.codePointAt(0) ?? 0);
	const pictograph = (code: number | undefined) =>
		code !== undefined && /\p{Extended_Pictographic}/u.test(String.fromCodePoint(code));
	return points.filter((code, at) => {
		if (!HOSTILE_SET.has(code)) return false;
		const before = points[at - 1] === 0xfe0f ? points[at - 2] : points[at - 1];
		const modifier = before !== undefined && before >= 0x1f3fb && before <= 0x1f3ff;
		if (code === 0x200d) return !((pictograph(before) || modifier) && pictograph(points[at + 1]));
		if (code === 0xfe0e || code === 0xfe0f)
			return !(pictograph(points[at - 1]) || (code === 0xfe0f && points[at + 1] === 0x20e3));
		return true;
	});
}

const HOSTILE_SET = new Set(HOSTILE);
