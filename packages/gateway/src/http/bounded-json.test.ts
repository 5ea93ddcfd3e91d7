import { unwrap, unwrapError } from '@roost/testkit/rigs/unwrap';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseBoundedJson } from './bounded-json.ts';

describe('parsing JSON with a bound', () => {
	it('returns the parsed value within the limit', () => {
		fc.assert(
			fc.property(fc.json({ maxDepth: 5 }), (text) => {
				expect(unwrap(parseBoundedJson(text, 64))).toEqual(JSON.parse(text));
			}),
		);
	});

	it('counts exactly the levels', () => {
		const nest = (depth: number) => `${'[{"a":'.repeat(depth / 2)}1${'}]'.repeat(depth / 2)}`;
		expect(parseBoundedJson(nest(64), 64).ok).toBe(true);
		expect(unwrapError(parseBoundedJson(nest(66), 64)).code).toBe('too_large');
	});

	it('does not count brackets inside strings, escaped quotes included', () => {
		for (const value of ['[[[[', '"[[[[', '\\"[[[[', '\\', ']]]]']) {
			expect(unwrap(parseBoundedJson(JSON.stringify([value]), 2))).toEqual([value]);
		}
	});

	it('refuses invalid JSON at any depth', () => {
		for (const text of ['', '{', 'nope', ']'.repeat(100)])
			expect(unwrapError(parseBoundedJson(text, 2)).code).toBe('bad_request');
	});
});
