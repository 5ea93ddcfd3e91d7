import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseBoundedJson } from './bounded-json.ts';

describe('parseBoundedJson', () => {
	it('parses what JSON.parse parses', () => {
		fc.assert(
			fc.property(fc.jsonValue({ maxDepth: 8 }), (value) => {
				expect(parseBoundedJson(JSON.stringify(value))).toEqual({ ok: true, value: JSON.parse(JSON.stringify(value)) });
			}),
		);
	});

	it('makes a value of a syntax error', () => {
		expect(parseBoundedJson('{"a":')).toMatchObject({ ok: false, error: { code: 'bad_request' } });
	});

	it('refuses what is nested too deeply, before anything walks it', () => {
		const deep = (levels: number) => `${'['.repeat(levels)}${']'.repeat(levels)}`;
		expect(parseBoundedJson(deep(256)).ok).toBe(true);
		expect(parseBoundedJson(deep(257))).toMatchObject({ ok: false, error: { code: 'bad_request' } });
		expect(parseBoundedJson('{"a":'.repeat(1_000_000))).toMatchObject({ ok: false, error: { code: 'bad_request' } });
	});

	it('does not count brackets inside strings', () => {
		expect(parseBoundedJson(JSON.stringify(`\\"${'['.repeat(1000)}\\`)).ok).toBe(true);
	});
});
