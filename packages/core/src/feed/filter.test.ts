import type { FeedEvent } from '@roost/protocol/feed/event';
import { describe, expect, it } from 'vitest';
import { call, scriptSession } from './feed.contract.ts';
import { isTransient, shouldExclude } from './filter.ts';

const only = (events: FeedEvent[], kind: FeedEvent['kind']) => {
	const found = events.find((event) => event.kind === kind);
	if (!found) throw new Error(`no ${kind}`);
	return found;
};
const display = (final: boolean) =>
	only(scriptSession().report('MessageDisplay', { delta: 'x', final, index: 0 }), 'message.display');

describe('stored events', () => {
	it('include everything except deltas and unfinished messages', () => {
		expect(isTransient({ kind: 'agent.delta', data: { text: 'x' } })).toBe(true);
		expect(isTransient({ kind: 'tool.delta', data: { text: 'x' } })).toBe(true);
		expect(isTransient(display(false))).toBe(true);
		expect(isTransient(display(true))).toBe(false);
		expect(isTransient({ kind: 'agent.message', data: { text: 'x' } })).toBe(false);
	});
});

describe('events excluded from lists', () => {
	const session = () => {
		const script = scriptSession();
		script.report('UserPromptSubmit', { prompt: 'go' });
		return script;
	};
	const write = call('TodoWrite', { todos: [{ content: 'a', status: 'completed' }] }, 't1');

	it('include those that are shown elsewhere', () => {
		const script = session();
		script.report('PreToolUse', write);
		const events = script.report('PostToolUse', { ...write, tool_response: {} });
		expect(events.map(({ kind }) => kind)).toEqual(['tool.post', 'todo.add', 'todo.done']);
		expect(events.every(shouldExclude)).toBe(true);
		expect(shouldExclude(display(true))).toBe(true);
		expect(shouldExclude(only(script.report('PostToolBatch', { tool_calls: [] }), 'tool.batch'))).toBe(true);
		expect(shouldExclude(only(script.report('InstructionsLoaded', { file_path: '/a' }), 'instructions.loaded'))).toBe(true);
	});

	it('do not include failures, or results without a call', () => {
		const script = session();
		const bash = call('Bash', { command: 'x' }, 't2');
		expect(shouldExclude(only(script.report('PostToolUse', { ...bash, tool_response: '' }), 'tool.post'))).toBe(false);
		const [announced] = script.report('PreToolUse', bash);
		const [failed] = script.report('PostToolUseFailure', { ...bash, error: 'no' });
		expect([announced, failed].map((event) => event && shouldExclude(event))).toEqual([false, false]);
	});
});
