import type { Verdict } from '@roost/protocol/ask';
import { describe, expect, it } from 'vitest';
import type { RuntimeDecision } from '../runtime/decision.ts';
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
const says = (verdict: Verdict): RuntimeDecision => ({ verdict, source: 'user' });
const NO_RULE: RuntimeDecision = { verdict: { type: 'none' }, source: 'rule', reason: 'no rule', noRule: true };

describe('permission decision', () => {
	it('records the decision, its author, and the request as its parent', () => {
		const { session, request } = asked();
		const event = session.decide('perm', {
			verdict: { type: 'allow', updatedInput: { command: 'ls -a' }, updatedPermissions: [{ type: 'setMode' }] },
			source: 'user',
			reason: 'looks fine',
			ruleId: 'rule-1',
			principal: 'ada@cli',
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
			{ verdict: { type: 'none' }, source: 'timeout', reason: 'too late' },
			{ decision_type: 'no_opinion', decided_by: 'timeout', reason: 'too late' },
		],
		[
			{ verdict: { type: 'none' }, source: 'rule', reason: 'no rule' },
			{ decision_type: 'no_opinion', decided_by: 'rule', reason: 'no rule' },
		],
		[
			{ verdict: { type: 'deny', message: 'never' }, source: 'rule', reason: 'never' },
			{ decision_type: 'deny', message: 'never', decided_by: 'rule' },
		],
		[says({ type: 'deny', message: 'no', interrupt: true }), { decision_type: 'deny', message: 'no', interrupt: true }],
		[says({ type: 'allow', updatedInput: { a: 1 } }), { decision_type: 'allow', updated_input: { a: 1 } }],
		[says({ type: 'deny', message: 'no' }), { decision_type: 'deny', message: 'no' }],
		[says({ type: 'ask', message: 'sure?' }), { decision_type: 'ask', reason: 'sure?' }],
	])('records %j', (decision, data) => {
		const { session } = asked();
		expect(session.decide('perm', decision)).toMatchObject({ kind: 'permission.decision', data });
	});

	it('has the announced call as its parent if nothing was requested', () => {
		const session = begin();
		const [pre] = session.report('PreToolUse', ls, { id: 'pre' });
		const event = session.decide('pre', { verdict: { type: 'deny', message: 'no' }, source: 'rule', ruleId: 'r1' });
		expect(event).toMatchObject({
			actor_id: 'system',
			level: 'warn',
			cause: { parent_event_id: pre?.event_id },
			data: { rule_id: 'r1' },
		});
	});

	it('has the request as its parent if an ask was opened on the announced call', () => {
		const session = begin();
		const [, request] = session.report('PreToolUse', ls, { id: 'pre', ask: 'ask-1' });
		expect(session.decide('pre', says({ type: 'allow' }))?.cause?.parent_event_id).toBe(request?.event_id);
	});
});

describe('no decision is recorded', () => {
	it('if no rule has an opinion', () => {
		const { session } = asked();
		expect(session.decide('perm', NO_RULE)).toBeNull();
		expect(session.decide('pre', NO_RULE)).toBeNull();
	});

	it('for an unknown request or one that needs no decision', () => {
		const session = begin();
		session.report('Notification', { message: 'hi' }, { id: 'note' });
		expect(session.decide('nope', says({ type: 'allow' }))).toBeNull();
		expect(session.decide('note', says({ type: 'allow' }))).toBeNull();
	});

	it('for a request without an ask from an earlier run', () => {
		const session = begin();
		session.report('Stop', { stop_hook_active: false }, { id: 'stop' });
		session.report('UserPromptSubmit', { prompt: 'next' });
		expect(session.decide('stop', says({ type: 'deny', message: 'too late' }))).toBeNull();
	});

	it('for a request that was already decided', () => {
		const { session } = asked();
		expect(session.decide('perm', says({ type: 'allow' }))).not.toBeNull();
		expect(session.decide('perm', says({ type: 'deny', message: 'no' }))).toBeNull();
	});
});

describe('ask', () => {
	it.each([
		['its call has ended', 'PostToolUse', { ...ls, tool_response: '' }],
		['the run has ended', 'Stop', { stop_hook_active: false }],
		['the next run has begun', 'UserPromptSubmit', { prompt: 'next' }],
	])('can still be settled when %s', (_, hook, payload) => {
		const { session, request } = asked();
		session.report(hook, payload);
		const event = session.decide('perm', { verdict: { type: 'none' }, source: 'terminal', reason: 'answered in the terminal' });
		expect(event).toMatchObject({
			cause: { parent_event_id: request?.event_id },
			data: { ask_id: 'ask-1', decided_by: 'terminal' },
		});
		expect(session.state.requests.has('perm')).toBe(false);
	});
});

describe('question', () => {
	const input = { questions: [{ question: 'Which?', options: [{ label: 'A' }] }] };
	const question = () => {
		const session = begin();
		const [, request] = session.report('PreToolUse', call('AskUserQuestion', input, 't1'), { id: 'pre', ask: 'ask-1' });
		return { session, request };
	};

	it('records its answers', () => {
		const { session, request } = question();
		expect(
			session.decide('pre', { ...says({ type: 'answer', answers: { 'Which?': 'A' } }), principal: 'ada@cli' }),
		).toMatchObject({
			kind: 'question.answer',
			cause: { parent_event_id: request?.event_id },
			data: { answers: { 'Which?': 'A' }, decided_by: 'user', ask_id: 'ask-1', principal: 'ada@cli' },
		});
	});

	it.each<[string, RuntimeDecision, string]>([
		['it times out', { verdict: { type: 'none' }, source: 'timeout', reason: 'too late' }, 'too late'],
		['it is denied', says({ type: 'deny', message: 'not now' }), 'not now'],
	])('records no answers when %s', (_, decision, reason) => {
		expect(question().session.decide('pre', decision)).toMatchObject({ kind: 'question.answer', data: { answers: {}, reason } });
	});
});

describe('stop', () => {
	it.each<[RuntimeDecision, object]>([
		[says({ type: 'deny', message: 'run the tests' }), { decision_type: 'block', reason: 'run the tests' }],
		[
			{ verdict: { type: 'deny', message: 'not yet' }, source: 'rule', reason: 'not yet' },
			{ decision_type: 'block', reason: 'not yet' },
		],
		[{ verdict: { type: 'none' }, source: 'timeout' }, { decision_type: 'no_opinion' }],
		[{ verdict: { type: 'allow' }, source: 'rule' }, { decision_type: 'allow' }],
	])('can be decided after its run has ended: %j', (decision, data) => {
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

	it('has the stop of the subagent as the parent of its decision', () => {
		const session = begin();
		const [request] = session.report(
			'SubagentStop',
			{ agent_id: 'a1', agent_type: 'x', stop_hook_active: false },
			{ id: 'stop' },
		);
		const event = session.decide('stop', says({ type: 'deny', message: 'go on' }));
		expect(event).toMatchObject({ kind: 'stop.decision', cause: { parent_event_id: request?.event_id } });
		expect(session.state.run?.counters.blocks).toBe(1);
	});
});
