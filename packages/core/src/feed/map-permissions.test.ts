import { describe, expect, it } from 'vitest';
import { call, scriptSession } from './feed.contract.ts';

const begin = () => {
	const session = scriptSession();
	session.report('UserPromptSubmit', { prompt: 'go' });
	return session;
};
const run = (command: string, id?: string) => call('Bash', { command, description: 'd' }, id);

describe('permission request that names no call', () => {
	it('is linked to the open call with the same input, in any order of keys', () => {
		const session = begin();
		const [pre] = session.report('PreToolUse', run('ls', 't1'));
		session.report('PreToolUse', run('pwd', 't2'));
		const input = { description: 'd', command: 'ls' };
		const [request] = session.report('PermissionRequest', {
			tool_name: 'Bash',
			tool_input: input,
			permission_suggestions: [{ type: 'setMode' }],
		});
		expect(request).toMatchObject({
			kind: 'permission.request',
			actor_id: 'system',
			cause: { parent_event_id: pre?.event_id, tool_use_id: 't1' },
			data: {
				tool_name: 'Bash',
				tool_input: input,
				tool_use_id: 't1',
				permission_suggestions: [{ type: 'setMode' }],
				risk: 'low',
			},
		});
		expect(request?.data).not.toHaveProperty('ask_id', expect.anything());
	});

	it('is linked to the only open call of its tool if its input was changed', () => {
		const session = begin();
		const [pre] = session.report('PreToolUse', run('ls', 't1'));
		session.report('PreToolUse', call('Write', { file_path: '/a' }, 't2'));
		const [request] = session.report('PermissionRequest', run('ls -la'));
		expect(request?.cause).toMatchObject({ parent_event_id: pre?.event_id, tool_use_id: 't1' });
	});

	it('is not linked if several calls are possible', () => {
		const session = begin();
		session.report('PreToolUse', run('a', 't1'));
		session.report('PreToolUse', run('b', 't2'));
		const [request] = session.report('PermissionRequest', run('c'));
		expect(request?.cause?.parent_event_id).toBeUndefined();
		expect(request?.cause?.tool_use_id).toBeUndefined();
	});

	it('is linked to the newest of identical calls first, and to each only once', () => {
		const session = begin();
		session.report('PreToolUse', run('ls', 't1'));
		session.report('PreToolUse', run('ls', 't2'));
		const asked = [1, 2].map(() => session.report('PermissionRequest', run('ls'))[0]?.cause?.tool_use_id);
		expect(asked).toEqual(['t2', 't1']);
	});

	it('of a subagent is never linked to a call of another agent', () => {
		const session = begin();
		session.report('PreToolUse', run('ls', 't1'));
		const [pre] = session.report('PreToolUse', run('ls', 't2'), { agentId: 'a1' });
		session.report('PreToolUse', run('ls', 't3'), { agentId: 'a2' });
		const [request] = session.report('PermissionRequest', run('ls'), { agentId: 'a1' });
		expect(request?.cause).toMatchObject({ parent_event_id: pre?.event_id, tool_use_id: 't2' });
	});

	it('is not linked to a call that has ended', () => {
		const session = begin();
		session.report('PreToolUse', run('ls', 't1'));
		session.report('PostToolUse', { ...run('ls', 't1'), tool_response: '' });
		expect(session.report('PermissionRequest', run('ls'))[0]?.cause?.parent_event_id).toBeUndefined();
	});

	it('is linked to the call that the agent names, if it does', () => {
		const session = begin();
		const [pre] = session.report('PreToolUse', run('a', 't1'));
		session.report('PreToolUse', run('b', 't2'));
		expect(session.report('PermissionRequest', run('changed', 't1'))[0]?.cause?.parent_event_id).toBe(pre?.event_id);
	});

	it('names the ask that was opened for it', () => {
		const [, request] = scriptSession().report('PermissionRequest', run('rm -rf /'), { ask: 'ask-1' });
		expect(request?.data).toMatchObject({ ask_id: 'ask-1', reason: 'no rule', expires_at: 301, risk: 'high' });
	});
});

describe('question', () => {
	it('is recorded when its permission is requested, with its call as the parent', () => {
		const session = begin();
		const input = { questions: [{ question: 'Which?', options: [{ label: 'A' }] }] };
		const [pre] = session.report('PreToolUse', call('AskUserQuestion', input, 't1'));
		const [request] = session.report('PermissionRequest', call('AskUserQuestion', input), { ask: 'ask-1' });
		expect(request).toMatchObject({
			kind: 'question.request',
			cause: { parent_event_id: pre?.event_id, tool_use_id: 't1' },
			data: { questions: [{ question: 'Which?', multi_select: false, options: [{ label: 'A' }] }], ask_id: 'ask-1' },
		});
		expect(session.state.run?.counters.permission_requests).toBe(0);
	});

	it.each([{}, { questions: [] }, { questions: 'x' }, { questions: [{ header: 'no question' }] }])(
		'is recorded as a permission request if it is malformed: %j',
		(input) => {
			const [request] = begin().report('PermissionRequest', call('AskUserQuestion', input));
			expect(request).toMatchObject({ kind: 'permission.request', data: { tool_input: input } });
		},
	);
});

it('links a denial by the agent itself to the denied call', () => {
	const session = begin();
	const [pre] = session.report('PreToolUse', run('curl', 't1'));
	const [denied] = session.report('PermissionDenied', { ...run('curl', 't1'), reason: 'Classifier unavailable' });
	expect(denied).toMatchObject({
		kind: 'permission.denied',
		level: 'warn',
		cause: { parent_event_id: pre?.event_id, tool_use_id: 't1' },
		data: { tool_name: 'Bash', tool_use_id: 't1', reason: 'Classifier unavailable' },
	});
});
