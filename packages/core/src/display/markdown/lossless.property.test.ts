// No loss: without whitespace, the texts of all blocks are the source minus its marks, in order. A mark is a sign that made a block or
// a span; letters and digits never are. Ordinals, tasks, languages and addresses count as text, because a face gets them as data.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Block, Line, List, Span } from './block.ts';
import { readMarkdown } from './read-markdown.ts';
import { LONGEST_LINE } from './read-parts.ts';
import { readSpans } from './read-spans.ts';

const ROUNDS = process.env.ROOST_SOAK === '1' ? 50_000 : 2_000;
const SIZE = 200_000;

describe('reading any text as markdown', () => {
	it('loses nothing but marks', () => {
		fc.assert(
			fc.property(anyText(), (text) => {
				expect(lostFrom(text)).toMatch(/^[`*_~#>|:\-+[\]()!\\]*$/u);
			}),
			{ numRuns: ROUNDS },
		);
	});

	it('drops the marks of a span only for that span', () => {
		fc.assert(
			fc.property(anyLine(), (line) => {
				const spans = readSpans(line);
				const lost = lostBetween(line, spans.flatMap(textsOf).join(''));
				const of = (...types: Span['type'][]) => spans.filter(({ type }) => types.includes(type)).length;
				expect(count(lost, /[*_]/gu)).toBe(4 * of('strong') + 2 * of('emphasis'));
				expect(count(lost, /~/gu)).toBe(4 * of('strike'));
				expect(count(lost, /[[\]()]/gu)).toBe(4 * of('link', 'image'));
				expect(count(lost, /!/gu)).toBe(of('image'));
				expect(count(lost, /`/gu) >= 2 * of('code')).toBe(true);
				expect(of('code') > 0 || !lost.includes('`')).toBe(true);
			}),
			{ numRuns: ROUNDS },
		);
	});

	it('reads text without marks as it is', () => {
		fc.assert(
			fc.property(fc.stringMatching(/^[a-zé日😀 .,;]{1,80}$/u), (line) => {
				fc.pre(line.trim() !== '');
				expect([...readMarkdown(line)]).toEqual([{ type: 'paragraph', lines: [[{ type: 'text', text: line }]] }]);
			}),
			{ numRuns: ROUNDS },
		);
	});
});

// With work that grows faster than the length, these would not finish.
describe('reading hostile text of 200 KB', () => {
	const fill = (piece: string) => piece.repeat(Math.ceil(SIZE / piece.length));
	/** As long as a line may be and still be read for marks. */
	const inLines = (start: string, piece: string, end = '') => {
		const room = LONGEST_LINE - start.length - end.length;
		return fill(`${start}${piece.repeat(Math.floor(room / piece.length))}${end}\n`);
	};

	it.each([
		...[
			'*',
			'_',
			'`',
			'~',
			'[',
			'![',
			'[a](',
			'](',
			'**a',
			'*a ',
			'_a ',
			'`a``',
			'~~a',
			'~~a ',
			'>',
			'> ',
			'#',
			'- ',
			'|',
			'\\|',
			' ',
		],
		...['`````````a', '[]', '[a]', '(', ')', '<b>', '&amp;', '1.', '\t', '\r', '=', '-', '\u0301', '\ud800'],
	])('reads %j over and over', (piece) => {
		expect(lostFrom(fill(piece))).not.toMatch(/[a-z0-9]/u);
		expect(lostFrom(inLines('', piece))).not.toMatch(/[a-z0-9]/u);
		expect(shownBy(readSpans(fill(piece))).length).toBeGreaterThan(0);
	});

	it.each([
		['headings with a gap', inLines('# a', ' ', 'b')],
		['headings with many closing signs', inLines('# a', '# ', 'b')],
		['items with a gap before another line break', inLines('- ', ' ', 'a\r')],
		['tasks with a gap before another line break', inLines('- [x]', ' ', 'a\r')],
		['rules that end in a word', inLines('', '- ', 'a')],
		['bars that end in a word', inLines('|', ' |', 'a')],
		['spaces before a word', inLines('', ' ', 'a')],
		['a fence without an end', `\`\`\`\n${fill('```a\n')}`],
		['fences', fill('```\n')],
		['long fences', inLines('', '`')],
		['nested quotes', fill(`${'>'.repeat(5_000)} a\n`)],
		['nested lists', fill(Array.from({ length: 400 }, (_, level) => `${'  '.repeat(level)}- a\n`).join(''))],
		['list marks in a row', inLines('', '- ', 'a')],
		['a table with many rows', `|a|b|\n|-|-|\n${fill('|c|d|\n')}`],
		['a table with a long head', `|${'a|'.repeat(2_000)}\n|-|\n${fill('||\n')}`],
		['a table without an end', `|a|\n|-|\n${fill('|a')}`],
		['blank lines in a list', `- a${fill('\n')}- b`],
		['one line', 'a'.repeat(SIZE)],
		['one line of words', fill('a ')],
	])('reads %s', (_, text) => {
		expect(lostFrom(text)).not.toMatch(/[a-z0-9]/u);
	});
});

function anyText(): fc.Arbitrary<string> {
	const piece = fc.oneof(
		{ weight: 3, arbitrary: anyLine() },
		fc.constantFrom('\n', '\n\n', '\n- ', '\n  - ', '\n1. ', '\n2) [x] ', '\n* [ ] ', '\n> ', '\n# ', '\n###### ', ' ##', 'C#'),
		fc.constantFrom(
			'\n```',
			'\n```ts a\n',
			'\n~~~\n',
			'\n|',
			'|',
			'\n|-|:-:|\n',
			'\n|a|b|\n|-|--:|\n|c|d\\||\n',
			'\n---',
			'\n***\n',
		),
		fc.string({ unit: 'binary' }),
	);
	return fc.array(piece, { maxLength: 20 }).map((pieces) => pieces.join(''));
}

function anyLine(): fc.Arbitrary<string> {
	const piece = fc.constantFrom(
		...['*', '**', '_', '__', '`', '``', '~~', '~', '[', ']', '(', ')', '](', '](http://a/b)', '!', '![', '\\', '\\|'],
		...['a', 'word', 'b c', ' ', '\t', '.', '<b>', '日本', '😀', '\u0301', '\r', '7'],
	);
	return fc.array(piece, { maxLength: 30 }).map((pieces) => pieces.join(''));
}

function lostFrom(text: string): string {
	return lostBetween(text, [...readMarkdown(text)].flatMap(textsIn).join(''));
}

/** What is left of the source without the shown text; fails if that is not in it, in order. */
function lostBetween(source: string, shown: string): string {
	const given = withoutSpace(source);
	const kept = withoutSpace(shown);
	let lost = '';
	let at = 0;
	for (const character of given.split('')) {
		if (character === kept[at]) at += 1;
		else lost += character;
	}
	expect(at).toBe(kept.length);
	return lost;
}

/** A done task is the same with either letter. */
function withoutSpace(text: string): string {
	return text.replace(/\s/gu, '').replaceAll('[X]', '[x]');
}

function textsIn(block: Block): string[] {
	switch (block.type) {
		case 'paragraph':
		case 'quote':
			return block.lines.map(shownBy);
		case 'heading':
			return [shownBy(block.line)];
		case 'code':
			return [block.language, ...block.lines];
		case 'list':
			return textsInList(block);
		case 'table':
			return [block.head, ...block.rows].flatMap((cells) => cells.map(shownBy));
		case 'rule':
		case 'blank':
			return [];
	}
}

function textsInList({ items }: List): string[] {
	return items.flatMap(({ ordinal = '', done, line, lists }) => [
		ordinal,
		done ? 'x' : '',
		shownBy(line),
		...lists.flatMap(textsInList),
	]);
}

function shownBy(line: Line): string {
	return line.flatMap(textsOf).join('');
}

function textsOf(span: Span): string[] {
	return span.type === 'link' || span.type === 'image' ? [span.text, span.address] : [span.text];
}

function count(text: string, pattern: RegExp): number {
	return [...text.matchAll(pattern)].length;
}
