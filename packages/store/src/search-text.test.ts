import { sampleEvent } from '@roost/testkit/rigs/record/sample-append';
import { describe, expect, it } from 'vitest';
import { searchText } from './search-text.ts';

describe('searchable text of an event', () => {
	it('contains prompts and messages', () => {
		expect(searchText(sampleEvent('a', 1))).toBe('do thing 1');
		expect(searchText(sampleEvent('a', 1, { kind: 'agent.message', title: 't', data: { text: 'hello' } }))).toBe('hello');
	});

	it('contains the command and paths of a tool call, but not the contents it writes', () => {
		const data = { tool_name: 'Write', tool_input: { file_path: 'src/a.ts', content: 'secret plan', command: 'ls', path: 7 } };
		expect(searchText(sampleEvent('a', 1, { kind: 'tool.pre', title: 't', data }))).toBe('ls\nsrc/a.ts');
		expect(searchText(sampleEvent('a', 1, { kind: 'tool.post', title: 't', data: { ...data, tool_response: 'out' } }))).toBe(
			'ls\nsrc/a.ts',
		);
		expect(
			searchText(sampleEvent('a', 1, { kind: 'tool.failure', title: 't', data: { ...data, error: 'no such file' } })),
		).toContain('no such');
	});

	it('contains a question with its options, and its answers', () => {
		const questions = [
			{ question: 'Which way?', header: 'Way', multi_select: false, options: [{ label: 'Left' }, { label: 'Right' }] },
		];
		expect(searchText(sampleEvent('a', 1, { kind: 'question.request', title: 't', data: { questions } }))).toBe(
			'Which way?\nWay\nLeft\nRight',
		);
		const data = { answers: { 'Which way?': 'Left' }, decided_by: 'user' as const };
		expect(searchText(sampleEvent('a', 1, { kind: 'question.answer', title: 't', data }))).toBe('Which way?\nLeft');
	});

	it('is empty if the title is sufficient', () => {
		expect(searchText(sampleEvent('a', 1, { kind: 'session.end', title: 't', data: { reason: 'exit' } }))).toBe('');
	});
});
