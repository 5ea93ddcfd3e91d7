import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { diffTexts } from './line-diff.ts';

describe('diff', () => {
	it('replaces the whole block if comparing would take too long', () => {
		const many = (word: string) => Array.from({ length: 3_000 }, (_, at) => (at === 1_500 ? 'same' : `${word} ${at}`)).join('\n');
		const lines = diffTexts(many('old'), many('new'), true).flat();
		expect(lines.map(({ sign }) => sign).join('')).toBe('-'.repeat(3_000) + '+'.repeat(3_000));
	});

	it('contains both texts, for any input', () => {
		const text = fc.array(fc.constantFrom('a', 'b', 'c', 'd'), { minLength: 1, maxLength: 40 });
		fc.assert(
			fc.property(text, text, (before, after) => {
				const lines = diffTexts(before.join('\n'), after.join('\n'), true).flat();
				for (const { sign, text, number = 0 } of lines) {
					if (sign !== '+') expect(before).toContain(text);
					if (sign !== '-') expect(after[number - 1]).toBe(text);
					if (sign === '-') expect(before[number - 1]).toBe(text);
				}
				const grown = lines.filter(({ sign }) => sign === '+').length - lines.filter(({ sign }) => sign === '-').length;
				expect(grown).toBe(after.length - before.length);
			}),
		);
	});
});
