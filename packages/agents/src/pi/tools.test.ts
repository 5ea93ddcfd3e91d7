// Pi's tools in the normal form and back.
import { describe, expect, it } from 'vitest';
import { toNativeInput, toNativeNames, toNormalCall } from './tools.ts';

const place = { cwd: '/project', home: '/home/ada' };

describe('Pi tool call', () => {
	it.each([
		['bash', { command: 'ls', timeout: 2 }, 'Bash', { command: 'ls', timeout: 2000 }],
		['write', { path: 'a', content: 'x' }, 'Write', { file_path: '/project/a', content: 'x' }],
		['read', { path: '/etc/hosts', offset: 3 }, 'Read', { file_path: '/etc/hosts', offset: 3 }],
		[
			'edit',
			{ path: 'a', edits: [{ oldText: 'x', newText: 'y' }] },
			'Edit',
			{ file_path: '/project/a', old_string: 'x', new_string: 'y' },
		],
		[
			'edit',
			{
				path: 'a',
				edits: [
					{ oldText: 'x', newText: 'y' },
					{ oldText: 'v', newText: '' },
				],
			},
			'Edit',
			{
				file_path: '/project/a',
				edits: [
					{ old_string: 'x', new_string: 'y' },
					{ old_string: 'v', new_string: '' },
				],
			},
		],
		['grep', { pattern: 'x', path: 'src' }, 'Grep', { pattern: 'x', path: '/project/src' }],
		['find', { pattern: '*.ts' }, 'Glob', { pattern: '*.ts' }],
		['ls', { path: '~/x' }, 'LS', { path: '/home/ada/x' }],
		['deploy', { path: 'a' }, 'deploy', { path: 'a' }],
	])('maps %s with %j to %s with %j and back', (name, input, tool_name, tool_input) => {
		expect(toNormalCall({ name, input }, place)).toEqual({ tool_name, tool_input });
		const native = toNativeInput(name, tool_input, place);
		expect(toNormalCall({ name, input: native ?? {} }, place)).toEqual({ tool_name, tool_input });
	});

	it.each([
		['@a', '/project/a'],
		['@/etc/passwd', '/etc/passwd'],
		['~', '/home/ada'],
		['~/x/../../b', '/home/b'],
		['~other/x', '/project/~other/x'],
		['file:///etc/passwd', '/etc/passwd'],
		['file://elsewhere/x', '/project/file:/elsewhere/x'],
		['../up', '/up'],
		['a\u00a0b\u3000c', '/project/a b c'],
	])('resolves path %s to %s', (path, file_path) => {
		expect(toNormalCall({ name: 'read', input: { path } }, place).tool_input).toEqual({ file_path });
	});

	it.each([
		['bash', { cmd: 'ls' }],
		['bash', { command: 'ls', timeout: -1 }],
		['write', { file_path: 'a' }],
		['write', { content: 'a' }],
		['read', { path: 'a' }],
		['edit', { file_path: 'a', old_string: 'x' }],
		['edit', { file_path: 'a', edits: [] }],
	])('is rejected for %s with invalid input %j', (name, input) => {
		expect(toNativeInput(name, input, place)).toBeNull();
	});

	it('maps normalized tool names to native ones', () => {
		expect(toNativeNames(['Bash', 'Glob', 'deploy'])).toEqual(['bash', 'find', 'deploy']);
	});
});
