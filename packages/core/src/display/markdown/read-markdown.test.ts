import { describe, expect, it } from 'vitest';
import type { Block, Span } from './block.ts';
import { readMarkdown } from './read-markdown.ts';

const read = (...lines: string[]) => [...readMarkdown(lines.join('\n'))];
const text = (words: string) => [{ type: 'text', text: words }];
const spans = (line: string): readonly Span[] => {
	const [block] = read(line);
	return block?.type === 'paragraph' ? (block.lines[0] ?? []) : [];
};

describe('markdown blocks', () => {
	it('reads paragraphs, headings, quotes, rules and the blank lines between them', () => {
		expect(read('a', 'b', '', ' ', '### c ##', '> d', '>e', '* * *')).toEqual([
			{ type: 'paragraph', lines: [text('a'), text('b')] },
			{ type: 'blank', count: 2 },
			{ type: 'heading', level: 3, line: text('c') },
			{ type: 'quote', lines: [text('d'), text('e')] },
			{ type: 'rule' },
		]);
	});

	it('keeps a number sign that belongs to the last word of a heading', () => {
		expect(read('# C#', '# ##')).toMatchObject([{ line: text('C#') }, { line: [] }]);
	});

	it('reads code with its language, to the end of the text without a closing fence', () => {
		expect(read('```ts', 'a', '', '```', '~~~', '```', '# b')).toEqual([
			{ type: 'code', language: 'ts', lines: ['a', ''] },
			{ type: 'code', language: '', lines: ['```', '# b'] },
		]);
	});

	it('closes code only with a fence that has nothing after it', () => {
		expect(read('```', '```js', 'a', '````')).toEqual([{ type: 'code', language: '', lines: ['```js', 'a'] }]);
	});

	it('reads tables with alignment, short rows and escaped bars', () => {
		expect(read('| a | b | c | d |', '|---|:--|:-:|--:|', '| 1 | x \\| y |', '', '| no | table |')).toEqual([
			{
				type: 'table',
				head: [text('a'), text('b'), text('c'), text('d')],
				alignments: [undefined, 'left', 'center', 'right'],
				rows: [[text('1'), text('x | y')]],
			},
			{ type: 'blank', count: 1 },
			{ type: 'paragraph', lines: [text('| no | table |')] },
		]);
	});
});

describe('long markdown', () => {
	it.each(['a', '> a', '- a', '1. a', '- a\n  - b'])('is read block by block, without waiting for the end of many %j', (line) => {
		const reading = readMarkdown(`${line}\n`.repeat(1_000));
		const first = reading.next().value;
		expect(first && JSON.stringify(first).length).toBeLessThan(JSON.stringify([...reading]).length);
	});
});

describe('markdown lists', () => {
	it('reads ordinals, tasks, and lists inside items', () => {
		expect(read('1. a', '   - [x] b', '   - [ ] c', '2) d')).toEqual([
			{
				type: 'list',
				ordered: true,
				items: [
					{
						gap: 0,
						indent: 0,
						ordinal: '1.',
						line: text('a'),
						lists: [
							{
								type: 'list',
								ordered: false,
								items: [
									{ gap: 0, indent: 3, done: true, line: text('b'), lists: [] },
									{ gap: 0, indent: 3, done: false, line: text('c'), lists: [] },
								],
							},
						],
					},
					{ gap: 0, indent: 0, ordinal: '2)', line: text('d'), lists: [] },
				],
			},
		]);
	});

	it('continues a list after blank lines if an item follows', () => {
		expect(read('- a', '', '', '- b', '', 'c')).toMatchObject([
			{ type: 'list', items: [{ gap: 0 }, { gap: 2, line: text('b') }] },
			{ type: 'blank', count: 1 },
			{ type: 'paragraph' },
		]);
	});

	it('starts another list where ordinals begin or end', () => {
		expect(read('- a', '1. b', '2. c')).toMatchObject([
			{ ordered: false, items: [{}] },
			{ ordered: true, items: [{}, {}] },
		]);
	});

	it('limits nesting', () => {
		const deep = Array.from({ length: 500 }, (_, level) => `${'  '.repeat(level)}- a`);
		expect(depthOf(read(...deep))).toBe(7);
	});
});

describe('markdown spans', () => {
	it('reads strong text, emphasis, code, strike and links', () => {
		expect(spans('a **b** *c* _d_ `` e `` ~~f~~ [g](http://h/i) ![j](k.png)').filter(({ text }) => text !== ' ')).toEqual([
			{ type: 'text', text: 'a ' },
			{ type: 'strong', text: 'b' },
			{ type: 'emphasis', text: 'c' },
			{ type: 'emphasis', text: 'd' },
			{ type: 'code', text: ' e ' },
			{ type: 'strike', text: 'f' },
			{ type: 'link', text: 'g', address: 'http://h/i', safe: true },
			{ type: 'image', text: 'j', address: 'k.png' },
		]);
	});

	it.each(['snake_case_name', '__init__', '2 * 3 * 4', 'a `b', '**c', '[d](e f)', '~~ g ~~', '~/a and ~/b', '<b>h</b>', '*'])(
		'reads %j as text',
		(line) => {
			expect(spans(`a ${line}`)).toEqual([{ type: 'text', text: `a ${line}` }]);
		},
	);

	it.each([
		['https://a/b', true],
		['HTTP://a', true],
		['//a', false],
		['https:a', false],
		['javascript:alert`1`', false],
		['data:text/html,a', false],
		['file:///etc/passwd', false],
		['./a', false],
		['httpsx://a', false],
		['\u0001https://a', false],
	])('marks a link to %j as safe: %j', (address, safe) => {
		expect(spans(`[a](${address})`)).toEqual([{ type: 'link', text: 'a', address, safe }]);
	});
});

function depthOf(blocks: readonly Block[]): number {
	return Math.max(
		0,
		...blocks.map((block) => (block.type === 'list' ? 1 + Math.max(...block.items.map(({ lists }) => depthOf(lists))) : 0)),
	);
}
