import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { escapeTextGlob, matchesText, parseTextGlob } from './text-glob.ts';

const matches = (pattern: string, text: string) => matchesText(parseTextGlob(pattern), text);

describe('argument globs', () => {
	it.each([
		['git status', 'git status', true],
		['git status', 'git status -s', false],
		['git status *', 'git status', true],
		['git status *', 'git status -s', true],
		['git status *', 'git statusx', false],
		['git status*', 'git statusx', true],
		['*', '', true],
		['a*b*c', 'abc', true],
		['a*b*c', 'axxbyyc', true],
		['a*b*c', 'acb', false],
		['ab*ba', 'aba', false],
		['*ab*b', 'ab', false],
		['*.ts', 'src/a b.ts', true],
		['a?c', 'abc', false],
		['[ab]', 'a', false],
		['a\\*', 'a*', true],
		['a\\*', 'ab', false],
		['a\\\\', 'a\\', true],
		['rm * -r *', 'rm x -r', true],
		['a*', 'a\nb', true],
	])('%j on %j is %j', (pattern, text, expected) => {
		expect(matches(pattern, text)).toBe(expected);
	});

	it('agree with the plain definition of a wildcard', () => {
		const unit = fc.constantFrom('a', 'b', '*', ' ');
		fc.assert(
			fc.property(
				fc.string({ unit, maxLength: 8 }),
				fc.string({ unit: fc.constantFrom('a', 'b', ' '), maxLength: 10 }),
				(pattern, text) => {
					const body = pattern.replaceAll('*', '[^]*');
					const expected =
						new RegExp(`^${body}$`).test(text) || (pattern.endsWith(' *') && new RegExp(`^${body}$`).test(`${text} `));
					expect(matches(pattern, text)).toBe(expected);
				},
			),
		);
	});

	it('match any escaped text and nothing else', () => {
		fc.assert(
			fc.property(fc.string(), fc.string(), (text, other) => {
				expect(matches(escapeTextGlob(text), text)).toBe(true);
				expect(matches(escapeTextGlob(text), other)).toBe(text === other);
			}),
		);
	});
});
