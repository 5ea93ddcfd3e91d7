import type { Fields } from '@roost/core/display/tools/fields';
import { plainStyles, toText } from '@roost/testkit/rigs/tui/plain-styles';
import { describe, expect, it } from 'vitest';
import { inputRows } from './input-rows.ts';

const FILE = 'one\ntwo\nthree\n';

const draw = (tool: string, input: Fields) => toText(inputRows({ tool, input }, 50, plainStyles()), 50);

describe('tool input', () => {
	it.each([
		['Bash', { command: 'a', run_in_background: true, surprise: 'b' }],
		['Edit', { file_path: 'f', old_string: 'a', new_string: 'b', replace_all: true, content: 'surprise' }],
		['Write', { file_path: 'f', content: 'a', old_string: 'surprise' }],
		['NotebookEdit', { notebook_path: 'f', new_source: 'a', edit_mode: 'delete', cell_id: 'c7' }],
		['MultiEdit', { file_path: 'f', edits: [{ old_string: 'a', new_string: 'b' }], surprise: 'c' }],
		['MultiEdit', { file_path: 'f', edits: [{ old_string: 'a', new_string: 'b', replace_all: true }] }],
		['MultiEdit', { file_path: 'f', edits: [{ old_string: 'a', new_string: 'b' }, { unheard: 'of' }] }],
		['Agent', { prompt: 'a', description: 'b', subagent_type: 'c', model: 'd' }],
		['TodoWrite', { todos: 'not a list' }],
		['ExitPlanMode', { plan: 7 }],
		['mcp__a__b', { c: { d: ['e'] } }],
		['Unheard', { of: ['a', { b: 'c' }] }],
	])('is shown completely: %s %j', (tool, input) => {
		const shown = draw(tool, input);
		for (const word of leavesOf(input)) expect(shown).toContain(word);
	});

	it.each([
		['Write', { content: 'one\nTWO\nthree\n' }],
		['Edit', { old_string: 'two', new_string: 'TWO' }],
		['Edit', { old_string: 'two', new_string: 'TWO', replace_all: true }],
		[
			'MultiEdit',
			{
				edits: [
					{ old_string: 'two', new_string: 'Two' },
					{ old_string: 'Two', new_string: 'TWO' },
				],
			},
		],
	])('is shown as a numbered diff against the current file: %s', (tool, input) => {
		const rows = inputRows({ tool, input: { file_path: 'f', ...input }, file: { state: 'text', text: FILE } }, 50, plainStyles());
		expect(toText(rows, 50)).toContain('f\n1   one\n2 - two\n2 + TWO\n3   three');
	});

	it.each([
		[
			'the text to replace is missing',
			'Edit',
			{ old_string: 'four', new_string: 'FOUR' },
			{ state: 'text', text: FILE },
			'- four\n+ FOUR',
		],
		['the file to edit is missing', 'Edit', { old_string: 'a', new_string: 'b' }, { state: 'absent' }, '- a\n+ b'],
		['the file is new', 'Write', { content: 'a' }, { state: 'absent' }, 'new file\n1 + a'],
		[
			'the file cannot be read',
			'Write',
			{ content: 'a' },
			{ state: 'unread', why: 'it is a symbolic link' },
			'not shown: it is a symbolic link\n1 + a',
		],
		['nothing changes', 'Write', { content: FILE }, { state: 'text', text: FILE }, 'no changes'],
		[
			'the file contains secrets',
			'Write',
			{ content: 'a' },
			{ state: 'text', text: '[redacted:x:1]' },
			'secrets are not compared',
		],
		['the file is deleted', 'Edit', { deletes: true }, { state: 'text', text: FILE }, '1 - one\n2 - two\n3 - three'],
	] as const)('adapts its diff when %s', (_, tool, input, file, shown) => {
		expect(toText(inputRows({ tool, input: { file_path: 'f', ...input }, file }, 80, plainStyles()), 80)).toContain(shown);
	});

	it('shows a long command completely', () => {
		const command = Array.from({ length: 300 }, (_, index) => `word${index}`).join(' ');
		expect(draw('Bash', { command }).replaceAll(/\s+/g, ' ')).toBe(`$ ${command}`);
	});
});

/** Every value, and the field name of every value that is not text. */
function leavesOf(value: unknown, name = ''): string[] {
	if (typeof value === 'string') return [value];
	if (typeof value !== 'object' || value === null) return [name, String(value)];
	return Object.entries(value).flatMap(([key, inner]) => leavesOf(inner, Array.isArray(value) ? '' : key));
}
