import { fileURLToPath } from 'node:url';
import { eventTitle } from '@roost/core/feed/title';
import { everyEvent } from '@roost/testkit/rigs/record/every-event';
import { goldenText } from '@roost/testkit/rigs/record/feed-golden';
import { sampleEvent } from '@roost/testkit/rigs/record/sample-append';
import { describe, expect, it } from 'vitest';
import { searchText } from './search-text.ts';

const GOLDEN = fileURLToPath(new URL('./search-entries.golden.txt', import.meta.url));

describe('searchable text of an event', () => {
	it('contains prompts and messages', () => {
		expect(searchText(sampleEvent('a', 1))).toBe('do thing 1');
		expect(searchText(sampleEvent('a', 1, { kind: 'agent.message', data: { text: 'hello' } }))).toBe('hello');
	});

	it('contains the command and paths of a tool call, but not the contents it writes', () => {
		const data = { tool_name: 'Write', tool_input: { file_path: 'src/a.ts', content: 'secret plan', command: 'ls', path: 7 } };
		expect(searchText(sampleEvent('a', 1, { kind: 'tool.pre', data }))).toBe('ls\nsrc/a.ts');
		expect(searchText(sampleEvent('a', 1, { kind: 'tool.post', data: { ...data, tool_response: 'out' } }))).toBe('ls\nsrc/a.ts');
		expect(searchText(sampleEvent('a', 1, { kind: 'tool.failure', data: { ...data, error: 'no such file' } }))).toContain(
			'no such',
		);
	});

	it('contains a question with its options, and its answers', () => {
		const questions = [
			{ question: 'Which way?', header: 'Way', multi_select: false, options: [{ label: 'Left' }, { label: 'Right' }] },
		];
		expect(searchText(sampleEvent('a', 1, { kind: 'question.request', data: { questions } }))).toBe(
			'Which way?\nWay\nLeft\nRight',
		);
		const data = { answers: { 'Which way?': 'Left' }, decided_by: 'user' as const };
		expect(searchText(sampleEvent('a', 1, { kind: 'question.answer', data }))).toBe('Which way?\nLeft');
	});

	it('is empty if the title is sufficient', () => {
		expect(searchText(sampleEvent('a', 1, { kind: 'session.end', data: { reason: 'exit' } }))).toBe('');
	});
});

describe('index entry of every kind of event', () => {
	it('is the same as before; a change needs a migration that clears the index (CLEAR_SEARCH)', () => {
		const entries = everyEvent('words', 1).map((event) => `${event.kind} | ${eventTitle(event)} | ${searchText(event)}`);
		const text = `${entries.map((entry) => entry.replaceAll('\n', ' ')).join('\n')}\n`;
		expect(text).toBe(goldenText(GOLDEN, text));
	});
});
