import { describe, expect, it } from 'vitest';
import { type NativeCall, toFailure, toNormalCall, toResponse } from './acp-calls.ts';
import { toolCall } from './acp-messages.ts';

function native(kind: string, message: Record<string, unknown> = {}): NativeCall {
	return { ...toolCall.parse({ toolCallId: 'c', ...message }), title: 'A title', kind };
}

const diff = (oldText: string | null) => [{ type: 'diff', path: '/p/a', oldText, newText: 'new' }];

describe('ACP tool call', () => {
	it.each([
		['execute', { rawInput: { command: 'ls' } }, 'Bash', { command: 'ls' }],
		['execute', { rawInput: { command: ['bash', '-lc', 'echo "a b"'] } }, 'Bash', { command: `bash -lc 'echo "a b"'` }],
		['execute', {}, 'Bash', { command: 'A title' }],
		['edit', { content: diff('old') }, 'Edit', { file_path: '/p/a', old_string: 'old', new_string: 'new' }],
		['edit', { content: diff(null) }, 'Write', { file_path: '/p/a', content: 'new' }],
		['edit', { locations: [{ path: '/p/b' }] }, 'Edit', { file_path: '/p/b' }],
		['delete', { rawInput: { path: 'x' } }, 'Edit', { path: 'x', file_path: 'x' }],
		['read', { rawInput: { path: 'x' } }, 'Read', { path: 'x', file_path: 'x' }],
		['read', { rawInput: { pattern: 'x' } }, 'Grep', { pattern: 'x' }],
		['search', {}, 'Grep', { pattern: 'A title' }],
		['fetch', { rawInput: { url: 'http://a' } }, 'WebFetch', { url: 'http://a' }],
		['think', { rawInput: { a: 1 } }, 'A title', { a: 1 }],
		['brand new', {}, 'A title', {}],
	])('maps kind %s with %j to %s', (kind, message, tool_name, tool_input) => {
		expect(toNormalCall(native(kind, message))).toMatchObject({ tool_use_id: 'c', tool_name, tool_input });
	});

	it('returns its content, or its raw output if there is none', () => {
		const content = [{ type: 'content', content: { type: 'text', text: 'shown' } }];
		expect(toResponse(native('execute', { content }))).toEqual({ stdout: 'shown', stderr: '', interrupted: false });
		expect(toResponse(native('read', { rawOutput: 'raw' }))).toBe('raw');
		expect(toFailure(native('read', { rawOutput: { message: 'gone', code: 7 } }))).toBe('gone');
		expect(toFailure(native('read'))).toMatch(/did not say why/);
	});
});
