import { describe, expect, it } from 'vitest';
import { readInstruction } from './instruction-text.ts';

describe('CLAUDE.md', () => {
	it.each([
		['See @docs/a.md for more', ['docs/a.md']],
		['@./a.md @../b.md @~/c.md @/d.md', ['./a.md', '../b.md', '~/c.md', '/d.md']],
		['- @list.md\n> @quote.md\n# @heading.md', ['list.md', 'quote.md', 'heading.md']],
		['**@bold.md** and [@link.md](x)', ['bold.md', 'link.md']],
		['@part.md#chapter @with\\ space.md', ['part.md', 'with space.md']],
		['@twice.md and @twice.md', ['twice.md']],
		['- a list\n\n    @in-a-list.md', ['in-a-list.md']],
		['`a` @between.md `b`', ['between.md']],
		['one ` tick @tick.md', ['tick.md']],
	])('imports the files it names: %j', (text, imports) => {
		expect(readInstruction(text).imports).toEqual(imports);
	});

	it.each([
		'somebody@example.com',
		'(@in-brackets.md) "@quoted.md"',
		'`@span.md` ``a ` @span.md``',
		'```\n@block.md\n```',
		'~~~sh\n```\n@block.md\n~~~',
		'- item\n  ```\n  @block.md\n  ```',
		'```\n@never-closed.md',
		'text\n\n    @indented.md\n\n    @indented-too.md',
		'<!-- @comment.md -->',
		'<!--\n@comment.md\n-->',
		'@ @@twice @#part @~ @/',
	])('imports nothing: %j', (text) => {
		expect(readInstruction(text).imports).toEqual([]);
	});

	it('is read without front matter and without comments that start a line', () => {
		const text = '---\ntitle: x\n---\nOne <!-- stays -->\n\n<!-- goes\nthis too -->\nTwo\n```\n<!-- code -->\n```\n';
		expect(readInstruction(text).content).toBe('One <!-- stays -->\n\nTwo\n```\n<!-- code -->\n```');
		expect(readInstruction('<!-- never ends\nkept').content).toBe('<!-- never ends\nkept');
		expect(readInstruction('---\nno header').content).toBe('---\nno header');
	});

	it.each([
		['paths: src/**/*.ts', ['src/**/*.ts']],
		['paths: "a/**, b.ts"', ['a', 'b.ts']],
		['paths: [a, "b"]', ['a', 'b']],
		['paths:\n  - a\n  - "b/**"\nother: x', ['a', 'b']],
		['paths: "**"', []],
		['paths:', []],
		['title: x', []],
	])('declares the paths it applies to: %j', (header, paths) => {
		expect(readInstruction(`---\n${header}\n---\ntext`).paths).toEqual(paths);
	});

	it.each([
		'`'.repeat(300_000),
		Array.from({ length: 700 }, (_each, at) => '`'.repeat(at)).join(' '),
		'<!--\n'.repeat(100_000),
		'<!-- -->\n'.repeat(50_000),
		'---\n'.repeat(100_000),
		'@'.repeat(500_000),
		'@a '.repeat(150_000),
		'*'.repeat(500_000),
		'\\ '.repeat(250_000),
		'    '.repeat(125_000),
	])('is parsed even if it is pathological: %#', (text) => {
		expect(readInstruction(text).content.length).toBeLessThanOrEqual(text.length);
	});
});
