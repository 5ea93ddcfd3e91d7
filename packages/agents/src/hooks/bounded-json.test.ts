import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseBoundedJson } from './bounded-json.ts';

describe('parseBoundedJson', () => {
	it('parses the same values as JSON.parse', () => {
		fc.assert(
			fc.property(fc.jsonValue({ maxDepth: 8 }), (value) => {
				expect(parseBoundedJson(JSON.stringify(value))).toEqual({ ok: true, value: JSON.parse(JSON.stringify(value)) });
			}),
		);
	});

	it('returns a syntax error as an error value', () => {
		expect(parseBoundedJson('{"a":')).toMatchObject({ ok: false, error: { code: 'bad_request' } });
	});

	it('rejects input that is nested too deeply', () => {
		const deep = (levels: number) => `${'['.repeat(levels)}${']'.repeat(levels)}`;
		expect(parseBoundedJson(deep(256)).ok).toBe(true);
		expect(parseBoundedJson(deep(257))).toMatchObject({ ok: false, error: { code: 'bad_request' } });
		expect(parseBoundedJson('{"a":'.repeat(1_000_000))).toMatchObject({ ok: false, error: { code: 'bad_request' } });
	});

	it('does not count brackets inside strings', () => {
		expect(parseBoundedJson(JSON.stringify(`\\"${'['.repeat(1000)}\\`)).ok).toBe(true);
	});
});
