import { describe, expect, it } from 'vitest';
import type { RuntimeDecision, RuntimeIntent } from '../runtime/decision.ts';
import { call, scriptSession } from './feed.contract.ts';

const ls = call('Bash', { command: 'ls' }, 't1');
const begin = () => {
	const session = scriptSession();
	session.report('UserPromptSubmit', { prompt: 'go' });
	return session;
};
const asked = () => {
	const session = begin();
	session.report('PreToolUse', ls, { id: 'pre' });
	const [request] = session.report('PermissionRequest', call('Bash', { command: 'ls' }), { id: 'perm', ask: 'ask-1' });
	return { session, request };
};
const says = (intent: RuntimeIntent): RuntimeDecision => ({ type: 'json', source: 'user', intent });
const NO_RULE: RuntimeDecision = { type: 'passthrough', source: 'rule', reason: 'no rule', noRule: true };

describe('a decision about a permission', () => {
	it('says what was decided, by whom, and hangs under the request', () => {
		const { session, request } = asked();
		const event = session.decide('perm', {
			type: 'json',
			source: 'user',
			reason: 'looks fine',
			ruleId: 'rule-1',
			principal: 'ada@cli',
			intent: { kind: 'permission_allow', updatedInput: { command: 'ls -a' }, updatedPermissions: [{ type: 'setMode' }] },
		});
		expect(event).toMatchObject({
			kind: 'permission.decision',
			actor_id: 'user',
			run_id: 's1:R1',
			cause: { parent_event_id: request?.event_id, hook_request_id: 'perm', tool_use_id: 't1' },
			data: {
				decision_type: 'allow',
				updated_input: { command: 'ls -a' },
				updated_permissions: [{ type: 'setMode' }],
				decided_by: 'user',
				rule_id: 'rule-1',
				ask_id: 'ask-1',
				principal: 'ada@cli',
				reason: 'looks fine',
			},
		});
	});

	it.each<[RuntimeDecision, object]>([
		[
			{ type: 'passthrough', source: 'timeout', reason: 'too late' },
			{ decision_type: 'no_opinion', decided_by: 'timeout', reason: 'too late' },
		],
		[
			{ type: 'passthrough', source: 'rule', reason: 'no rule' },
			{ decision_type: 'no_opinion', decided_by: 'rule', reason: 'no rule' },
		],
		[
			{ type: 'block', source: 'rule', reason: 'never' },
			{ decision_type: 'deny', message: 'never', decided_by: 'rule' },
		],
		[
			{ type: 'block', source: 'rule' },
			{ decision_type: 'deny', message: 'Blocked' },
		],
		[{ type: 'json', source: 'rule', data: { odd: true } }, { decision_type: 'no_opinion' }],
		[says({ kind: 'permission_deny', reason: 'no', interrupt: true }), { decision_type: 'deny', message: 'no', interrupt: true }],
		[says({ kind: 'pre_tool_allow', updatedInput: { a: 1 } }), { decision_type: 'allow', updated_input: { a: 1 } }],
		[says({ kind: 'pre_tool_deny', reason: 'no' }), { decision_type: 'deny', message: 'no' }],
		[says({ kind: 'pre_tool_ask', reason: 'sure?' }), { decision_type: 'ask', reason: 'sure?' }],
		[says({ kind: 'pre_tool_defer' }), { decision_type: 'no_opinion', reason: 'deferred' }],
	])('records %j', (decision, data) => {
		const { session } = asked();
		expect(session.decide('perm', decision)).toMatchObject({ kind: 'permission.decision', data });
	});

	it('hangs under the announced call where nothing was requested', () => {
		const session = begin();
		const [pre] = session.report('PreToolUse', ls, { id: 'pre' });
		const event = session.decide('pre', {
			type: 'json',
			source: 'rule',
			ruleId: 'r1',
			intent: { kind: 'pre_tool_deny', reason: 'no' },
		});
		expect(event).toMatchObject({
			actor_id: 'system',
			level: 'warn',
			cause: { parent_event_id: pre?.event_id },
			data: { rule_id: 'r1' },
		});
	});

	it('hangs under the request where an ask was opened on the announced call', () => {
		const session = begin();
		const [, request] = session.report('PreToolUse', ls, { id: 'pre', ask: 'ask-1' });
		expect(session.decide('pre', says({ kind: 'pre_tool_allow' }))?.cause?.parent_event_id).toBe(request?.event_id);
	});
});

describe('nothing is recorded', () => {
	it('where no rule has an opinion', () => {
		const { session } = asked();
		expect(session.decide('perm', NO_RULE)).toBeNull();
		expect(session.decide('pre', NO_RULE)).toBeNull();
	});

	it('for a request nobody made, or one that nobody can decide', () => {
		const session = begin();
		session.report('Notification', { message: 'hi' }, { id: 'note' });
		expect(session.decide('nope', says({ kind: 'permission_allow' }))).toBeNull();
		expect(session.decide('note', says({ kind: 'permission_allow' }))).toBeNull();
	});

	it('for a request of an earlier run about which nobody is asked', () => {
		const session = begin();
		session.report('Stop', { stop_hook_active: false }, { id: 'stop' });
		session.report('UserPromptSubmit', { prompt: 'next' });
		expect(session.decide('stop', says({ kind: 'stop_block', reason: 'too late' }))).toBeNull();
	});

	it('for a request that is decided already', () => {
		const { session } = asked();
		expect(session.decide('perm', says({ kind: 'permission_allow' }))).not.toBeNull();
		expect(session.decide('perm', says({ kind: 'permission_deny', reason: 'no' }))).toBeNull();
	});
});

describe('an ask', () => {
	it.each([
		['its call has ended', 'PostToolUse', { ...ls, tool_response: '' }],
		['the run has ended', 'Stop', { stop_hook_active: false }],
		['the next run has begun', 'UserPromptSubmit', { prompt: 'next' }],
	])('can still be settled when %s', (_, hook, payload) => {
		const { session, request } = asked();
		session.report(hook, payload);
		const event = session.decide('perm', { type: 'passthrough', source: 'terminal', reason: 'answered in the terminal' });
		expect(event).toMatchObject({
			cause: { parent_event_id: request?.event_id },
			data: { ask_id: 'ask-1', decided_by: 'terminal' },
		});
		expect(session.state.requests.has('perm')).toBe(false);
	});
});

describe('a question', () => {
	const input = { questions: [{ question: 'Which?', options: [{ label: 'A' }] }] };
	const question = () => {
		const session = begin();
		const [, request] = session.report('PreToolUse', call('AskUserQuestion', input, 't1'), { id: 'pre', ask: 'ask-1' });
		return { session, request };
	};

	it('is answered', () => {
		const { session, request } = question();
		expect(
			session.decide('pre', { ...says({ kind: 'question_answer', answers: { 'Which?': 'A' } }), principal: 'ada@cli' }),
		).toMatchObject({
			kind: 'question.answer',
			cause: { parent_event_id: request?.event_id },
			data: { answers: { 'Which?': 'A' }, decided_by: 'user', ask_id: 'ask-1', principal: 'ada@cli' },
		});
	});

	it.each<[string, RuntimeDecision, string]>([
		['nobody answers', { type: 'passthrough', source: 'timeout', reason: 'too late' }, 'too late'],
		['it is refused', says({ kind: 'permission_deny', reason: 'not now' }), 'not now'],
	])('has no answers when %s', (_, decision, reason) => {
		expect(question().session.decide('pre', decision)).toMatchObject({ kind: 'question.answer', data: { answers: {}, reason } });
	});
});

describe('a stop', () => {
	it.each<[RuntimeDecision, object]>([
		[says({ kind: 'stop_block', reason: 'run the tests' }), { decision_type: 'block', reason: 'run the tests' }],
		[
			{ type: 'block', source: 'rule', reason: 'not yet' },
			{ decision_type: 'block', reason: 'not yet' },
		],
		[{ type: 'passthrough', source: 'timeout' }, { decision_type: 'no_opinion' }],
		[{ type: 'json', source: 'rule' }, { decision_type: 'allow' }],
	])('is decided after its run has ended: %j', (decision, data) => {
		const session = begin();
		const [request] = session.report('Stop', { stop_hook_active: false }, { id: 'stop' });
		expect(session.decide('stop', decision)).toMatchObject({
			kind: 'stop.decision',
			run_id: 's1:R0',
			cause: { parent_event_id: request?.event_id, hook_request_id: 'stop' },
			data,
		});
		expect(session.decide('stop', decision)).toBeNull();
	});

	it('of a subagent hangs under the subagent’s stop', () => {
		const session = begin();
		const [request] = session.report(
			'SubagentStop',
			{ agent_id: 'a1', agent_type: 'x', stop_hook_active: false },
			{ id: 'stop' },
		);
		const event = session.decide('stop', says({ kind: 'stop_block', reason: 'go on' }));
		expect(event).toMatchObject({ kind: 'stop.decision', cause: { parent_event_id: request?.event_id } });
		expect(session.state.run?.counters.blocks).toBe(1);
	});
});
