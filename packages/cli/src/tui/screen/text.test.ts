import { describe, expect, it } from 'vitest';
import { cut, widthOf } from './text.ts';

// Ranges with combining scripts and emoji.
const JOINING = [
	[0x20, 0x3000],
	[0x1_1000, 0x1_2000],
	[0x1_f300, 0x1_f700],
] as const;
const CODE_POINTS = JOINING.flatMap(([from, to]) => Array.from({ length: to - from }, (_, index) => from + index));

describe('text width', () => {
	it('is the sum of its parts for every character next to a space', () => {
		const odd = CODE_POINTS.filter((code) => {
			const character = String.fromCodePoint(code);
			const alone = widthOf(character) + 1;
			return widthOf(` ${character}`) !== alone || widthOf(`${character} `) !== alone;
		});
		expect(odd.map((code) => code.toString(16))).toEqual([]);
	});

	it.each([
		['👍🏻', 2],
		['a🏻', 3],
		['👩‍👩‍👧', 2],
		['e\u0301', 1],
		['宽', 2],
	])('counts %s as %i columns', (text, width) => {
		expect(widthOf(text)).toBe(width);
	});

	it('cuts off a skin tone that cannot combine instead of counting it as zero', () => {
		expect(widthOf(cut('aa🏻', 3))).toBeLessThanOrEqual(3);
		expect(cut('👍🏻x', 2)).toBe('👍🏻');
	});
});
