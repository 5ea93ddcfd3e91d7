import { unwrap, unwrapError } from '@roost/testkit/rigs/unwrap';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseBoundedJson } from './bounded-json.ts';

describe('parseBoundedJson', () => {
	it('returns the parsed value within the limit', () => {
		fc.assert(
			fc.property(fc.json({ maxDepth: 5 }), (text) => {
				expect(unwrap(parseBoundedJson(text, 64))).toEqual(JSON.parse(text));
			}),
		);
	});

	it('enforces the exact depth limit', () => {
		const nest = (depth: number) => `${'[{"a":'.repeat(depth / 2)}1${'}]'.repeat(depth / 2)}`;
		expect(parseBoundedJson(nest(64), 64).ok).toBe(true);
		expect(unwrapError(parseBoundedJson(nest(66), 64)).code).toBe('too_large');
	});

	it('does not count brackets inside strings, including escaped quotes', () => {
		for (const value of ['[[[[', '"[[[[', '\\"[[[[', '\\', ']]]]']) {
			expect(unwrap(parseBoundedJson(JSON.stringify([value]), 2))).toEqual([value]);
		}
	});

	it('rejects invalid JSON at any depth', () => {
		for (const text of ['', '{', 'nope', ']'.repeat(100)])
			expect(unwrapError(parseBoundedJson(text, 2)).code).toBe('bad_request');
	});
});
