import { expect, it } from 'vitest';
import { isSameJson } from './same-json.ts';

it.each([
	[
		{ a: 1, b: [1, { c: null }] },
		{ b: [1, { c: null }], a: 1 },
	],
	['x', 'x'],
	[[], []],
])('treats %j and %j as equal', (left, right) => {
	expect(isSameJson(left, right)).toBe(true);
});

it.each([
	[{ a: 1 }, { a: 1, b: undefined }],
	[{ a: 1 }, { b: 1 }],
	[
		[1, 2],
		[2, 1],
	],
	[[], {}],
	[null, {}],
	['1', 1],
	[{ a: { b: 1 } }, { a: { b: 2 } }],
])('treats %j and %j as different', (left, right) => {
	expect(isSameJson(left, right)).toBe(false);
});

it('handles any depth', () => {
	const nest = () => {
		let value: unknown = 0;
		for (let depth = 0; depth < 50_000; depth += 1) value = [value];
		return value;
	};
	expect(isSameJson(nest(), nest())).toBe(false);
});
