import { plainLook, toText } from '@roost/testkit/rigs/plain-look';
import { describe, expect, it } from 'vitest';
import type { Fields } from './fields.ts';
import { inputRows } from './input-rows.ts';

const draw = (tool: string, input: Fields) => toText(inputRows({ tool, input }, 50, plainLook()), 50);

describe('what a tool is asked to do', () => {
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
	])('is shown whole, whatever it is: %s %j', (tool, input) => {
		const shown = draw(tool, input);
		for (const word of leavesOf(input)) expect(shown).toContain(word);
	});

	it('keeps a long command whole', () => {
		const command = Array.from({ length: 300 }, (_, index) => `word${index}`).join(' ');
		expect(draw('Bash', { command }).replaceAll(/\s+/g, ' ')).toBe(`$ ${command}`);
	});
});

/** Every value in it, and the name of everything that is no text. */
function leavesOf(value: unknown, name = ''): string[] {
	if (typeof value === 'string') return [value];
	if (typeof value !== 'object' || value === null) return [name, String(value)];
	return Object.entries(value).flatMap(([key, inner]) => leavesOf(inner, Array.isArray(value) ? '' : key));
}
