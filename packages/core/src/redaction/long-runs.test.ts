import fc from 'fast-check';
import { expect, it } from 'vitest';
import { someLongRun } from './long-runs.ts';

it('finds the same runs as a plain search, wherever they lie', () => {
	const piece = fc.constantFrom(
		...['a', 'Z', '0', '_', '-', ' ', '.', '/', 'é', '語', 'abcdefgh', 'abcdefghijklmn', 'abcdefghijklmno'],
	);
	fc.assert(
		fc.property(fc.array(piece, { maxLength: 40 }), (pieces) => {
			const text = pieces.join('');
			const found: string[] = [];
			someLongRun(text, (start, end) => {
				found.push(text.slice(start, end));
				return false;
			});
			expect(found).toEqual(text.match(/[A-Za-z0-9_-]{15,}/g) ?? []);
		}),
	);
});
