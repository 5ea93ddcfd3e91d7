import { plainStyles, toText } from '@roost/testkit/rigs/tui/plain-styles';
import { describe, expect, it } from 'vitest';
import { markdownRows } from './markdown.ts';

const draw = (text: string, width = 40, ascii = false) => {
	const styles = plainStyles({ ascii });
	return toText(markdownRows(text, width, styles), width, styles);
};
const spans = (text: string) => [...markdownRows(text, 80, plainStyles())].flat().map(({ text, tone }) => [text, tone]);

describe('markdown', () => {
	it('renders headings, lists, quotes, code blocks, rules and links', () => {
		const page = [
			'## What I found',
			'',
			'- the **first** thing, which is long enough to need a second row',
			'  - a detail',
			'1. counted',
			'- [x] done',
			'- [ ] open',
			'> said before',
			'',
			'```ts',
			'const  x = 1; // **not bold**',
			'```',
			'---',
			'See [the page](https://example.org/a) and <b>this</b>.',
		];
		expect(draw(page.join('\n'))).toMatchInlineSnapshot(`
			"What I found

			• the first thing, which is long enough
			  to need a second row
			  • a detail
			1. counted
			☑ done
			☐ open
			│ said before

			│ const  x = 1; // **not bold**
			────────────────────────────────────────
			See the page (https://example.org/a) and
			<b>this</b>."
		`);
	});

	it('uses ASCII symbols in ASCII mode', () => {
		expect(draw('- a\n> b\n```\nc\n```\n***', 20, true)).toBe(`* a\n| b\n| c\n${'-'.repeat(20)}`);
	});

	it('aligns table columns, even with wide characters', () => {
		expect(draw('| name | what |\n|---|:-:|\n| 日本 | `x` |\n| b |')).toMatchInlineSnapshot(`
			"name │ what
			───────────
			日本 │ x
			b    │"
		`);
	});

	it('renders a table as a list when it does not fit', () => {
		expect(
			draw('| name | what |\n|---|---|\n| first | a long cell that has no room |\n| second | b |', 20),
		).toMatchInlineSnapshot(`
			"name: first
			what: a long cell
			that has no room

			name: second
			what: b"
		`);
	});

	it('styles bold, emphasis, code and links, but not names with underscores', () => {
		expect(spans('a **b** *c* `d` [e](f) snake_case_name x_y_ __init__ 2 * 3 * 4')).toEqual([
			['a ', undefined],
			['b', 'strong'],
			[' ', undefined],
			['c', 'emphasis'],
			[' ', undefined],
			['d', 'code'],
			[' ', undefined],
			['e ', undefined],
			['(f)', 'faint'],
			[' snake_case_name x_y_ __init__ 2 * 3 * 4', undefined],
		]);
	});

	it('treats table syntax in a code block as code', () => {
		expect(spans('```\n| a |\n|---|\n```').filter(([, tone]) => tone !== 'faint')).toEqual([
			['| a |', 'code'],
			['|---|', 'code'],
		]);
	});

	it('treats everything after an unclosed fence as code', () => {
		expect(draw('~~~\n# a\n```\n- b')).toBe('│ # a\n│ ```\n│ - b');
	});

	it('leaves lines with bars that are not a table unchanged', () => {
		expect(draw('| a | b |\n| c | d |')).toBe('| a | b |\n| c | d |');
	});

	it('shows the marks of struck text', () => {
		expect(spans('a ~~b~~ **c**')).toEqual([
			['a ~~b~~ ', undefined],
			['c', 'strong'],
		]);
	});

	it('keeps blank lines, also inside a list and at the end', () => {
		expect(
			[...markdownRows('- a\n\n- b\n \nc\n\n', 20, plainStyles())].map((one) => one.map(({ text }) => text).join('')),
		).toEqual(['• a', '', '• b', '', 'c', '']);
	});

	it.each([
		['a heading with a wide gap', `# a${' '.repeat(4_000)}b`],
		['a table with one long line and many short ones', `|${'a|'.repeat(2_000)}\n|-|\n${'||\n'.repeat(60_000)}`],
	])('draws %s', (_, text) => {
		expect(markdownRows(text, 80, plainStyles()).next().done).toBe(false);
	});
});
