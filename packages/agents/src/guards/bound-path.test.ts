import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { matchesName } from './judge-call.ts';

describe('name pattern', () => {
	it('matches the same names as the equivalent regular expression', () => {
		const text = (chars: string) => fc.string({ unit: fc.constantFrom(...chars), maxLength: 8 });
		fc.assert(
			fc.property(text('ab*?'), text('ab'), (pattern, name) => {
				const expression = new RegExp(`^${pattern.replaceAll('*', '.*').replaceAll('?', '.')}$`);
				expect(matchesName(pattern, name)).toBe(expression.test(name));
			}),
			{ numRuns: 2_000 },
		);
	});

	it('handles the longest name, however many stars it contains', () => {
		expect(matchesName(`${'a*'.repeat(2_000)}b`, 'a'.repeat(255))).toBe(false);
		expect(matchesName(`${'*a'.repeat(200)}*`, 'a'.repeat(255))).toBe(true);
	});

	it('matches anything if it contains a bracket', () => {
		expect(matchesName('[a]', 'b')).toBe(true);
	});
});
