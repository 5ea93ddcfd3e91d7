import { describe, expect, it } from 'vitest';
import { call, kindsOf, scriptSession } from './feed.contract.ts';

const begin = () => {
	const session = scriptSession();
	session.report('UserPromptSubmit', { prompt: 'go' });
	return session;
};
const ls = call('Bash', { command: 'ls' }, 't1');

describe('tool call', () => {
	it('is announced, and is the parent of its result', () => {
		const session = begin();
		const [pre] = session.report('PreToolUse', { ...ls, native_tool_name: 'shell' });
		const [post] = session.report('PostToolUse', { ...ls, tool_response: { stdout: 'x' }, duration_ms: 5 });
		expect(pre).toMatchObject({
			kind: 'tool.pre',
			actor_id: 'agent:root',
			cause: { hook_request_id: 'q2', tool_use_id: 't1' },
			data: { tool_name: 'Bash', tool_input: { command: 'ls' }, tool_use_id: 't1', native_tool_name: 'shell' },
		});
		expect(post).toMatchObject({
			kind: 'tool.post',
			cause: { hook_request_id: 'q3', tool_use_id: 't1', parent_event_id: pre?.event_id },
			data: { tool_response: { stdout: 'x' }, duration_ms: 5 },
		});
	});

	it('is the parent of its failure', () => {
		const session = begin();
		const [pre] = session.report('PreToolUse', ls);
		const [failed] = session.report('PostToolUseFailure', { ...ls, error: 'Exit code 3', is_interrupt: false });
		expect(failed).toMatchObject({
			kind: 'tool.failure',
			level: 'error',
			cause: { parent_event_id: pre?.event_id, tool_use_id: 't1' },
			data: { error: 'Exit code 3', is_interrupt: false },
		});
	});

	it('without an id is identified by its agent, tool and input', () => {
		const session = begin();
		const [one] = session.report('PreToolUse', call('Bash', { command: 'one' }));
		const [two] = session.report('PreToolUse', call('Bash', { command: 'two' }));
		const [post] = session.report('PostToolUse', { ...call('Bash', { command: 'one' }), tool_response: '' });
		expect(post?.cause?.parent_event_id).toBe(one?.event_id);
		const [other] = session.report('PostToolUse', { ...call('Bash', { command: 'two' }), tool_response: '' });
		expect(other?.cause?.parent_event_id).toBe(two?.event_id);
		expect(session.state.calls.open.size).toBe(0);
	});

	it('has a result without a parent and is counted if its announcement was missed', () => {
		const session = begin();
		const [post] = session.report('PostToolUse', { ...ls, tool_response: '' });
		expect(post?.cause?.parent_event_id).toBeUndefined();
		expect(session.state.run?.counters.tool_uses).toBe(1);
	});
});

it('records a result without a response', () => {
	expect(begin().report('PostToolUse', ls)).toMatchObject([{ kind: 'tool.post', data: { tool_response: null } }]);
	expect(begin().report('PostToolBatch', { tool_calls: [ls] })).toMatchObject([{ kind: 'tool.post' }, { kind: 'tool.batch' }]);
});

describe('ask opened at the announcement of a call', () => {
	it('is recorded as a permission request under the announcement', () => {
		const [pre, request] = begin().report('PreToolUse', ls, { ask: 'ask-1' });
		expect(pre?.kind).toBe('tool.pre');
		expect(request).toMatchObject({
			kind: 'permission.request',
			actor_id: 'system',
			cause: { parent_event_id: pre?.event_id, tool_use_id: 't1', hook_request_id: 'q2' },
			data: { tool_name: 'Bash', tool_use_id: 't1', ask_id: 'ask-1', reason: 'no rule', expires_at: 302, risk: 'low' },
		});
	});

	it('is recorded as a question if the agent asks one', () => {
		const input = {
			questions: [{ question: 'Which?', header: 'H', multiSelect: true, options: [{ label: 'A', description: 'a' }] }],
		};
		const [pre, request] = begin().report('PreToolUse', call('AskUserQuestion', input, 't1'), { ask: 'ask-1' });
		expect(request).toMatchObject({
			kind: 'question.request',
			actor_id: 'agent:root',
			cause: { parent_event_id: pre?.event_id },
			data: {
				questions: [{ question: 'Which?', header: 'H', multi_select: true, options: [{ label: 'A', description: 'a' }] }],
				tool_use_id: 't1',
				ask_id: 'ask-1',
			},
		});
	});
});

describe('batch', () => {
	const batch = (...calls: object[]) => ({ tool_calls: calls });

	it('ends a denied call with the text that the model received', () => {
		const session = begin();
		const [pre] = session.report('PreToolUse', ls);
		const events = session.report('PostToolBatch', batch({ ...ls, tool_response: 'The user said no.' }));
		expect(kindsOf(events)).toEqual(['tool.failure', 'tool.batch']);
		expect(events[0]).toMatchObject({
			cause: { parent_event_id: pre?.event_id, tool_use_id: 't1' },
			data: { error: 'The user said no.', tool_name: 'Bash' },
		});
		expect(session.state.calls.open.size).toBe(0);
	});

	it('reads a response with several parts', () => {
		const session = begin();
		session.report('PreToolUse', ls);
		const response = [{ type: 'text', text: 'no' }, { type: 'image' }];
		const [failed] = session.report('PostToolBatch', batch({ ...ls, tool_response: response }));
		expect(failed?.data).toMatchObject({ error: 'no\n{"type":"image"}' });
	});

	it('does not end a call twice', () => {
		const session = begin();
		session.report('PreToolUse', ls);
		session.report('PostToolUse', { ...ls, tool_response: 'ok' });
		const second = call('Bash', { command: 'x' }, 't2');
		session.report('PreToolUse', second);
		session.report('PostToolUseFailure', { ...second, error: 'no' });
		const calls = batch({ ...ls, tool_response: 'ok' }, { ...second, tool_response: 'no' });
		expect(kindsOf(session.report('PostToolBatch', calls))).toEqual(['tool.batch']);
	});

	it('records a tool that does not exist as a failure without an announcement', () => {
		const session = begin();
		const response = '<tool_use_error>Error: No such tool available: Nope</tool_use_error>';
		const events = session.report('PostToolBatch', batch({ ...call('Nope', {}, 't9'), tool_response: response }));
		expect(kindsOf(events)).toEqual(['tool.failure', 'tool.batch']);
		expect(events[0]?.cause?.parent_event_id).toBeUndefined();
		expect(session.state.run?.counters).toMatchObject({ tool_uses: 1, tool_failures: 1 });
	});

	it('records a call that ran while Roost was down', () => {
		const events = begin().report('PostToolBatch', batch({ ...ls, tool_response: 'file.txt' }));
		expect(events).toMatchObject([{ kind: 'tool.post', data: { tool_response: 'file.txt' } }, { kind: 'tool.batch' }]);
	});
});
