import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createInputFilter } from './input-filter.ts';

function read(...pieces: string[]): { passed: string; wheels: string[] } {
	const wheels: string[] = [];
	const filter = createInputFilter((wheel) => wheels.push(wheel));
	return { passed: pieces.map((piece) => filter(piece)).join(''), wheels };
}

describe('terminal input filter', () => {
	it('reports the direction of the wheel', () => {
		expect(read('a\x1b[<64;10;5Mb\x1b[<65;10;5M')).toEqual({ passed: 'ab', wheels: ['wheel-up', 'wheel-down'] });
	});

	it('drops clicks, releases and moves', () => {
		expect(read('\x1b[<0;10;5M\x1b[<0;10;5m\x1b[<35;1;1M\x1b[<64;1;1m')).toEqual({ passed: '', wheels: [] });
	});

	it('passes keys through unchanged', () => {
		const keys = 'j\x1b[A\x1b[5~\x1bOH\x1b[Z\x1b\r\x1b[1;5C\x1b]\x1bP\x1b';
		expect(read(keys)).toEqual({ passed: keys, wheels: [] });
	});

	it.each([
		['the clipboard', '\x1b]52;c;c2VjcmV0\x07'],
		['a colour', '\x1b]11;rgb:1616/1818/1d1d\x1b\\'],
		['a version', '\x1bP>|XTerm(390)\x1b\\'],
		['support for images', '\x1b_Gi=31;OK\x1b\\'],
	])('drops a terminal response that reports %s', (_, answer) => {
		expect(read(`a${answer}b`)).toEqual({ passed: 'ab', wheels: [] });
	});

	it('keeps such sequences in pasted text', () => {
		const paste = '\x1b[200~\x1b[<64;1;1M\x1b]52;c;?\x07\x1b[201~';
		expect(read(`${paste}\x1b[<65;1;1M`)).toEqual({ passed: paste, wheels: ['wheel-down'] });
	});

	it('passes keys again after a response that never ends', () => {
		expect(read('\x1b]11;rgb:', '\x1b[A').passed).toContain('\x1b[A');
	});

	it('works the same however the bytes are split', () => {
		const bytes = 'x\x1b[<64;10;5My\x1b[200~p\x1b[<64;1;1M\x1b[201~\x1b[<65;9;9M\x1b]52;c;eA==\x1b\\z';
		fc.assert(
			fc.property(fc.array(fc.integer({ min: 1, max: bytes.length - 1 }), { maxLength: 8 }), (cuts) => {
				const edges = [0, ...[...new Set(cuts)].sort((a, b) => a - b), bytes.length];
				const pieces = edges.slice(1).map((edge, index) => bytes.slice(edges[index], edge));
				const { passed, wheels } = read(...pieces);
				expect(wheels).toEqual(['wheel-up', 'wheel-down']);
				// If the input is cut right after an Escape, the keyboard has it already and drops the rest itself.
				expect(asTyped(passed)).toBe('xy\x1b[200~p\x1b[<64;1;1M\x1b[201~z');
			}),
		);
	});
});

/** Without sequences that the keyboard drops itself, and without leftovers of a reply that may have been a key; pasted text stays. */
function asTyped(passed: string): string {
	const [before = '', pasted = '', after = ''] = passed.split(/(?<=x.*?y)|(?<=201~)/s);
	return `${before.replace('\x1b[<64;10;5M', '')}${pasted}${after.replace('\x1b[<65;9;9M', '').replace('\x1b]', '').replace('\x1b', '')}`;
}
