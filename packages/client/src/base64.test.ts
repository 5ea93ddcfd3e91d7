import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { fromBase64, toBase64 } from './base64.ts';

describe('base64', () => {
	it('is what others make of the same bytes, there and back', () => {
		fc.assert(
			fc.property(fc.uint8Array({ maxLength: 100 }), (bytes) => {
				expect(toBase64(bytes)).toBe(Buffer.from(bytes).toString('base64'));
				expect(fromBase64(toBase64(bytes))).toEqual(bytes);
			}),
			{ numRuns: 100 },
		);
	});
});
