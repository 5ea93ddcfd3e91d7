import { type AskId, ruleId, sessionId } from '@roost/protocol/ids';
import type { Rule } from '@roost/protocol/rule';
import { describe, expect, it } from 'vitest';
import { eventTitle } from '../feed/title.ts';
import { createRedactor } from '../redaction/redact.ts';
import type { EventBase, RuntimeEvent } from '../runtime/event.ts';
import { readReport } from '../runtime/normal-form/read-report.ts';
import type { RuntimeCapabilities } from '../runtime/runtime.ts';
import type { SessionPolicy } from './policy.ts';
import { createSessionState, evolveSession } from './state.ts';
import { type SessionInput, step, stepAfterBug } from './step.ts';

const LEA = { name: 'lea', face: 'test' };
const QUESTIONS = { questions: [{ question: 'Which?', multiSelect: false, options: [{ label: 'A' }, { label: 'B' }] }] };
const LS = { tool_name: 'Bash', tool_input: { command: 'ls' } };

describe('session step', () => {
	it('opens an ask for a call that no rule covers, and holds the request', () => {
		const { state, send } = session();
		const result = send(permission('p1'));
		expect(result.asks).toMatchObject([
			{ state: 'pending', ask: { id: 's1.1', tool: 'Bash', reason: 'no rule matched', openedAt: 7, expiresAt: 7 + 300_000 } },
		]);
		expect(result.effects).toEqual([{ type: 'hold', requestId: 'p1', timeoutMs: 300_000 }]);
		expect([...state.asks.keys()]).toEqual(['s1.1']);
	});

	it('limits the timeout of an ask to the timeout of its agent', () => {
		const input = permission('p1');
		const interaction = { ...input.event.interaction, longestMs: 60_000 };
		const result = session().send({ ...input, event: { ...input.event, interaction } });
		expect(result.asks).toMatchObject([{ ask: { expiresAt: 7 + 60_000 } }]);
		expect(result.effects).toEqual([{ type: 'hold', requestId: 'p1', timeoutMs: 60_000 }]);
	});

	it('keeps the deadline of an open ask when the configured timeout changes', () => {
		const { state, send } = session();
		send(permission('p1'));
		const policy = { ...session().policy, askTimeoutMs: 1_000 };
		const again = step(state, { ...permission('p1'), at: 100_007 }, policy);
		expect(again.effects).toEqual([{ type: 'hold', requestId: 'p1', timeoutMs: 200_000 }]);
	});

	it.each([
		['observe', 'none'],
		['enforce', 'deny'],
	] as const)('ends the run and closes its asks when it is interrupted in its terminal: %s', (gate, type) => {
		const { send, state } = session({ gate });
		send(report('u1', 'UserPromptSubmit', { prompt: 'go' }));
		send(permission('p1'));
		const result = send({ type: 'interrupted', reason: 'interrupted in its own terminal', at: 9 });
		expect(result.asks).toMatchObject([{ state: 'cancelled' }]);
		expect(result.effects).toMatchObject([{ type: 'reply', requestId: 'p1', decision: { verdict: { type } } }]);
		expect(result.events.at(-1)).toMatchObject({ kind: 'run.end', data: { status: 'aborted' } });
		expect(state.asks.size).toBe(0);
	});

	it('denies an unreadable call in enforce mode, whatever else the capabilities of its agent contain', () => {
		const capabilities: RuntimeCapabilities = {
			...{ agent: 'mock', canBlock: true, canAsk: true, questionHook: null, allowHook: 'PermissionRequest' },
			...{ takesPrompts: true, canInterrupt: true, canResume: true, canLimitTurns: false, gate: { gated: true } },
		};
		const { send } = session({ gate: 'enforce', capabilities });
		const result = send(report('p1', 'PreToolUse', { tool_name: '', tool_input: 'not an object' }, true));
		expect(result.effects).toMatchObject([{ type: 'reply', requestId: 'p1', decision: { verdict: { type: 'deny' } } }]);
	});

	it('closes an ask that was answered in the dialog of its agent', () => {
		const { send } = session();
		send(permission('p1'));
		const result = send({ type: 'dialog', isOpen: false, message: 'answered', at: 9 });
		expect(result.asks).toMatchObject([{ state: 'answered-elsewhere' }]);
		expect(result.events.at(-1)).toMatchObject({ kind: 'notification', data: { own_dialog: false } });
	});

	it('applies a rule immediately and records the decision', () => {
		const { send, state } = session({ rules: [rule('allow')] });
		const result = send(permission('p1'));
		expect(result.asks).toEqual([]);
		expect(state.asks.size + state.asksOpened).toBe(0);
		expect(result.effects).toMatchObject([
			{ type: 'reply', requestId: 'p1', recorded: true, decision: { verdict: { type: 'allow' }, ruleId: 'r1' } },
		]);
		expect(result.events.at(-1)).toMatchObject({
			kind: 'permission.decision',
			data: { decision_type: 'allow', decided_by: 'rule', rule_id: 'r1' },
		});
	});

	it('replies immediately and records nothing if no rule matches', () => {
		const result = session().send(report('e1', 'PreToolUse', { ...LS, tool_use_id: 't1' }, true));
		expect(result.effects).toMatchObject([{ type: 'reply', recorded: false, decision: { verdict: { type: 'none' } } }]);
		expect(result.events.map((event) => event.kind)).not.toContain('permission.decision');
	});

	it('opens an ask before a tool runs if an ask rule matches, and closes it with the answer', () => {
		const { send } = session({ rules: [rule('ask')] });
		const asked = send(report('e1', 'PreToolUse', { ...LS, tool_use_id: 't1' }, true));
		expect(asked.events.map((event) => event.kind).slice(-2)).toEqual(['tool.pre', 'permission.request']);
		const answered = send(answer({ type: 'deny', message: 'not now', interrupt: true }));
		expect(answered.asks).toMatchObject([{ state: 'denied' }]);
		expect(answered.effects).toMatchObject([
			{ recorded: true, requestId: 'e1', decision: { verdict: { type: 'deny', message: 'not now', interrupt: true } } },
		]);
	});

	it('accepts the first answer and refuses all others', () => {
		const { send } = session();
		send(permission('p1'));
		expect(send(answer({ type: 'allow' })).refused).toBeUndefined();
		const second = send(answer({ type: 'deny', message: 'no' }));
		expect(second).toMatchObject({ events: [], effects: [], refused: { code: 'conflict' } });
	});

	it('refuses answers to questions for a permission ask', () => {
		const { send, state } = session();
		send(permission('p1'));
		expect(send(answer({ type: 'answer', answers: {} })).refused).toMatchObject({ code: 'bad_request' });
		expect(state.asks.size).toBe(1);
	});

	it('accepts answers to a question and refuses an allow', () => {
		const { send } = session();
		const asked = send(
			report('e1', 'PreToolUse', { tool_name: 'AskUserQuestion', tool_input: QUESTIONS, tool_use_id: 't1' }, true),
		);
		expect(asked.asks).toMatchObject([{ ask: { kind: 'question', expiresAt: 7 + 300_000 } }]);
		expect(send(answer({ type: 'allow' })).refused).toMatchObject({ code: 'bad_request' });
		const answered = send(answer({ type: 'answer', answers: { 'Which?': 'A' } }));
		expect(answered.asks).toMatchObject([{ state: 'answered' }]);
		expect(answered.effects).toMatchObject([
			{ recorded: true, decision: { verdict: { type: 'answer', answers: { 'Which?': 'A' } } } },
		]);
	});

	it('refuses answers that do not match the questions, and lists the questions', () => {
		const { send, state } = session();
		const questions = ['Which?', 'How many?'].map((question) => ({ question, options: [] }));
		send(report('e1', 'PreToolUse', { tool_name: 'AskUserQuestion', tool_input: { questions }, tool_use_id: 't1' }, true));
		const refusal = (answers: Record<string, string>) => send(answer({ type: 'answer', answers })).refused?.message;
		const listed = 'Answer each question once: "Which?", "How many?".';
		expect(refusal({ 'Which?': 'A', 'How many?': '2', 'Why?': 'x' })).toBe(
			`Cannot answer s1.1: unknown question "Why?". ${listed}`,
		);
		expect(refusal({ 'Which?': 'A' })).toBe(`Cannot answer s1.1: no answer for "How many?". ${listed}`);
		expect(refusal({ which: 'A' })).toContain('unknown question "which"; no answer for "Which?", "How many?".');
		expect(state.asks.size).toBe(1);
		const answered = send(answer({ type: 'answer', answers: { 'Which?': 'A', 'How many?': '' } }));
		expect(answered.refused).toBeUndefined();
		expect(answered.effects).toMatchObject([{ decision: { verdict: { answers: { 'Which?': 'A' } } } }]);
		expect(answered.events.at(-1)?.data).toMatchObject({ answers: { 'Which?': 'A' } });
	});

	it('accepts an empty answer to a question', () => {
		const { send } = session();
		send(report('e1', 'PreToolUse', { tool_name: 'AskUserQuestion', tool_input: QUESTIONS, tool_use_id: 't1' }, true));
		expect(send(answer({ type: 'answer', answers: {} }))).toMatchObject({ asks: [{ state: 'answered' }] });
	});

	it('records facts of its own', () => {
		const message = session().send({ type: 'noted', fact: { kind: 'runtime.status', data: { status: 'gap' } }, at: 4 });
		expect(message.events).toMatchObject([{ kind: 'runtime.status', ts: 4, data: { status: 'gap' } }]);
	});

	it('records a settled request once', () => {
		const { send } = session();
		send(permission('p1'));
		const late = { type: 'settled', requestId: 'p1', decision: { verdict: { type: 'none' }, source: 'timeout' }, at: 9 } as const;
		expect(send(late)).toMatchObject({ asks: [{ state: 'expired' }], events: [{ kind: 'permission.decision' }] });
		expect(send(late)).toEqual({ asks: [], events: [], effects: [] });
	});

	it('closes a pending ask when the run ends', () => {
		const { send, state } = session();
		send(permission('p1'));
		const result = send(report('e2', 'UserPromptSubmit', { prompt: 'something else' }));
		expect(result.asks).toMatchObject([{ state: 'cancelled' }]);
		expect(result.events.find((event) => event.kind === 'permission.decision')).toMatchObject({
			data: { decision_type: 'no_opinion', decided_by: 'system' },
		});
		expect(state.asks.size).toBe(0);
	});

	it('keeps an ask open during unrelated events', () => {
		const { send, state } = session();
		send(report('e0', 'PreToolUse', { ...LS, tool_use_id: 't1' }, true));
		send(permission('p1'));
		send(report('e2', 'PreToolUse', { ...LS, tool_use_id: 't2' }, true));
		send(report('e3', 'PostToolUse', { ...LS, tool_use_id: 't2', tool_response: '' }));
		send(report('e4', 'Notification', { message: 'x' }));
		expect(state.asks.size).toBe(1);
	});

	it('keeps an ask open that is not linked to a call when a tool call ends', () => {
		const { send, state } = session();
		send(permission('p1'));
		send(report('e1', 'PostToolUse', { ...LS, tool_response: '' }));
		expect(state.asks.size).toBe(1);
	});

	const RAN = [
		['PostToolUse', { ...LS, tool_use_id: 't1', tool_response: '' }],
		['PostToolUseFailure', { ...LS, tool_use_id: 't1', error: 'x' }],
	] as const;
	const REFUSED = [
		['PostToolBatch', { tool_calls: [{ ...LS, tool_use_id: 't1', tool_response: 'rejected' }] }],
		['PermissionDenied', { ...LS, tool_use_id: 't1' }],
	] as const;
	const asked = (gate: 'observe' | 'enforce') => {
		const it = session({ gate });
		it.send(report('e0', 'UserPromptSubmit', { prompt: 'go' }));
		it.send(report('e1', 'PreToolUse', { ...LS, tool_use_id: 't1' }, true));
		it.send(permission('p1'));
		return it;
	};

	it.each([...RAN, ...REFUSED])('closes an ask without a decision when the agent reports %s in observe mode', (hook, payload) => {
		const result = asked('observe').send(report('e2', hook, payload));
		expect(result.asks).toMatchObject([{ state: 'answered-elsewhere' }]);
		expect(result.events.find((event) => event.kind === 'permission.decision')).toMatchObject({
			actor_id: 'system',
			data: { decision_type: 'no_opinion', decided_by: 'terminal', reason: expect.stringContaining('the agent reported') },
		});
		expect(result.effects).toMatchObject([
			{ type: 'reply', requestId: 'p1', decision: { verdict: { type: 'none' } }, recorded: false },
		]);
	});

	it.each(RAN)('keeps the ask and records an error on %s in enforce mode', (hook, payload) => {
		const { send, state } = asked('enforce');
		const result = send(report('e2', hook, payload));
		expect(result).toMatchObject({ asks: [], effects: [] });
		expect(result.events.at(-1)).toMatchObject({ kind: 'runtime.error', data: { code: 'ran_undecided' } });
		expect(state.asks.size).toBe(1);
	});

	it.each([
		...REFUSED,
		['Stop', { stop_hook_active: false }],
		['SessionEnd', { reason: 'other' }],
		['UserPromptSubmit', { prompt: 'next' }],
	] as const)('denies pending requests when the agent reports %s in enforce mode', (hook, payload) => {
		const { send, state } = asked('enforce');
		const result = send(report('e2', hook, payload));
		expect(result.events.find((event) => event.kind === 'permission.decision')).toMatchObject({
			data: { decision_type: 'deny' },
		});
		expect(result.effects).toMatchObject([{ type: 'reply', requestId: 'p1', decision: { verdict: { type: 'deny' } } }]);
		expect(state.asks.size).toBe(0);
	});

	it.each([
		['observe', 'none', 'no_opinion'],
		['enforce', 'deny', 'deny'],
	] as const)('replies without an ask if the timeout is zero: %s mode returns %s', (gate, type, decision) => {
		const result = session({ gate, askTimeoutMs: 0 }).send(permission('p1'));
		expect(result.asks).toEqual([]);
		expect(result.effects).toMatchObject([{ type: 'reply', decision: { verdict: { type }, source: 'timeout' } }]);
		expect(result.events.at(-1)).toMatchObject({ kind: 'permission.decision', data: { decision_type: decision } });
	});

	it('records a new native id with its reason', () => {
		const { send } = session();
		send(report('e1', 'SessionStart', { source: 'startup' }));
		const cleared = send({
			type: 'reported',
			event: { ...report('e2', 'SessionStart', { source: 'clear' }).event, sessionId: 'n2' },
		});
		expect(cleared.events[0]).toMatchObject({
			kind: 'session.native',
			data: { native_id: 'n2', reason: 'clear', parent_native_id: 'n1' },
		});
		expect(send(report('e3', 'Notification', { message: 'x' })).events[0]).toMatchObject({
			kind: 'session.native',
			data: { native_id: 'n1' },
		});
	});

	it('records nothing if the native id is known or missing', () => {
		const { send } = session();
		send(report('e1', 'SessionStart', { source: 'startup' }));
		expect(send(report('e2', 'Notification', { message: 'x' })).events).toHaveLength(1);
		const nameless = { ...report('e3', 'RuntimeError', { code: 'bad_request', message: 'x' }).event, sessionId: '' };
		expect(send({ type: 'reported', event: nameless }).events.map((event) => event.kind)).toEqual(['runtime.error']);
	});

	it('records a malformed SessionStart as a startup', () => {
		const { event: base } = report('e1', 'Notification', {});
		const odd = as(base, 'SessionStart', 'odd');
		expect(session().send({ type: 'reported', event: odd }).events[0]).toMatchObject({
			kind: 'session.native',
			data: { reason: 'startup' },
		});
	});

	it('counts the transcript after every turn', () => {
		for (const hook of ['Stop', 'StopFailure']) {
			const stopped = report('e1', hook, {});
			stopped.event.context.transcriptPath = '/t.jsonl';
			expect(session().send(stopped).effects).toContainEqual({ type: 'count', transcriptPath: '/t.jsonl' });
		}
	});

	it('records usage only when it changed, also after a replay', () => {
		const { send, state } = session();
		const reported = (output: number) => send({ type: 'noted', fact: usage(output), at: 1 }).events;
		const [first] = reported(1);
		expect(first).toMatchObject({ kind: 'usage.update', data: { total: { output_tokens: 1 } } });
		expect(reported(1)).toEqual([]);
		expect(reported(2)).toHaveLength(1);
		if (first) evolveSession(state, first);
		expect(reported(1)).toEqual([]);
	});

	it('summarises the transcript when the session ends', () => {
		const ended = report('e1', 'SessionEnd', { reason: 'other' });
		ended.event.context.transcriptPath = '/t.jsonl';
		expect(session().send(ended).effects).toEqual([{ type: 'summarise', transcriptPath: '/t.jsonl', isCounted: true }]);
		expect(session().send(report('e1', 'SessionEnd', { reason: 'other' })).effects).toEqual([]);
		expect(session().send({ ...ended, event: as(ended.event, 'Notification', { message: 'x' }) }).effects).toEqual([]);
	});

	it('does not count the transcript of a driven agent, which reports its own usage', () => {
		const { event, ...stopped } = report('e1', 'Stop', { stop_hook_active: false });
		const reported = { ...stopped, event: { ...event, context: { ...event.context, transcriptPath: '/t.jsonl' } } };
		const capabilities = { agent: 'mock', questionHook: null, allowHook: 'PermissionRequest' as const, takesPrompts: true };
		expect(session().send(reported).effects).toEqual([{ type: 'count', transcriptPath: '/t.jsonl' }]);
		expect(session({ capabilities }).send(reported).effects).toEqual([]);
		const ended = { ...reported, event: as(reported.event, 'SessionEnd', { reason: 'other' }) };
		expect(session({ capabilities }).send(ended).effects).toMatchObject([{ type: 'summarise', isCounted: false }]);
	});

	it.each([
		[true, { decision_type: 'allow', decided_by: 'system', reason: 'permission mode default allows this without asking' }],
		[false, { decision_type: 'no_opinion', decided_by: 'system', reason: 'the agent ran this without a decision' }],
	])('records a decision for a call that ran without one in enforce mode, driven: %s', (takesPrompts, data) => {
		const capabilities = { agent: 'mock', questionHook: null, allowHook: 'PermissionRequest' as const, takesPrompts };
		const { send } = session({ gate: 'enforce', capabilities });
		const run = (id: string, call: object) => {
			send(report(`${id}-pre`, 'PreToolUse', { ...call, tool_use_id: id }, true));
			return send(report(`${id}-post`, 'PostToolUse', { ...call, tool_use_id: id, tool_response: '' })).events.slice(0, -1);
		};
		expect(run('t1', LS)).toMatchObject([{ kind: 'permission.decision', data, cause: { tool_use_id: 't1' } }]);
		expect(run('t2', { tool_name: 'Read', tool_input: { file_path: '/a' } })).toEqual([]);
		const allowed = session({ gate: 'enforce', capabilities, rules: [rule('allow')] });
		allowed.send(report('a', 'PreToolUse', { ...LS, tool_use_id: 't3' }, true));
		allowed.send(report('b', 'PermissionRequest', { ...LS, tool_use_id: 't3' }, true));
		const done = allowed.send(report('c', 'PostToolUse', { ...LS, tool_use_id: 't3', tool_response: '' }));
		expect(done.events.map(({ kind }) => kind)).toEqual(['tool.post']);
	});

	it('restores the same asks when its events are replayed', () => {
		const { state, send } = session();
		const events = [permission('p1'), permission('p2'), answer({ type: 'allow' })].flatMap((input) => send(input).events);
		const replayed = createSessionState(sessionId.parse('s1'));
		for (const event of events) evolveSession(replayed, event);
		expect(replayed).toEqual(state);
	});
});

describe('report with a secret', () => {
	const secret = `gh${'p_'}${'a1B2'.repeat(9)}`;
	const call = { tool_name: 'Bash', tool_use_id: 't1', tool_input: { command: `git push https://${secret}@host.example` } };

	it('is matched against rules unredacted, but recorded and asked about redacted', () => {
		const { send } = session({ rules: [{ ...rule('deny'), argsPattern: `git push https://${secret}@*` }] });
		const denied = send(report('p1', 'PermissionRequest', call, true));
		expect(denied.effects).toMatchObject([{ type: 'reply', decision: { verdict: { type: 'deny' } } }]);
		expect(JSON.stringify(denied.events)).not.toContain(secret.slice(8, 16));
		const asked = session().send(report('p1', 'PermissionRequest', call, true));
		expect(asked.asks[0]?.ask.input).toEqual({ command: 'git push https://[redacted:github:0123abcd]@host.example' });
		expect(asked.asks[0]?.asked?.input).toEqual(call.tool_input);
	});

	it('leaks no part of the secret into a title, wherever the title is cut', () => {
		for (let length = 0; length < 160; length++) {
			const { events } = session().send(report('p1', 'UserPromptSubmit', { prompt: `${'x'.repeat(length)} ${secret}` }));
			expect(JSON.stringify([events, events.map(eventTitle)])).not.toContain('a1B2a1B2');
		}
	});

	it('is recorded without its content if it cannot be processed, with a reply that depends on the gate', () => {
		const input = report('p1', 'PreToolUse', call, true);
		for (const [gate, type] of [
			['observe', 'none'],
			['enforce', 'deny'],
		] as const) {
			const result = stepAfterBug(session().state, input, gate, new RangeError(`too long: ${secret}`), 9);
			expect(result.events.map(({ kind }) => kind)).toEqual(['runtime.error']);
			expect(result.effects).toMatchObject([
				{ type: 'reply', requestId: 'p1', decision: { verdict: { type } }, recorded: false },
			]);
			expect(JSON.stringify(result)).not.toContain(secret.slice(4, 12));
		}
	});
});

function session(policy: Partial<SessionPolicy> = {}) {
	const state = createSessionState(sessionId.parse('s1'));
	const whole: SessionPolicy = {
		rules: [],
		builtinDenies: [],
		scope: { sessionId: 's1', projectId: 'p1' },
		gate: 'observe',
		capabilities: { agent: 'mock', questionHook: 'PreToolUse', allowHook: 'PermissionRequest', takesPrompts: false },
		askTimeoutMs: 300_000,
		redactor: createRedactor(() => '0123abcd'),
		...policy,
	};
	return { state, policy: whole, send: (input: SessionInput) => step(state, input, whole) };
}

function report(id: string, hookName: string, payload: Record<string, unknown>, expectsDecision = false) {
	const event: RuntimeEvent = {
		id,
		timestamp: 7,
		sessionId: 'n1',
		toolName: typeof payload.tool_name === 'string' ? payload.tool_name : undefined,
		toolUseId: typeof payload.tool_use_id === 'string' ? payload.tool_use_id : undefined,
		context: { cwd: '/p', transcriptPath: '' },
		interaction: { expectsDecision },
		...readReport(hookName, payload),
	};
	return { type: 'reported', event } as const;
}

/** Another report with the same base. */
function as(base: EventBase, hookName: string, payload: unknown): RuntimeEvent {
	return { ...base, ...readReport(hookName, payload) };
}

function usage(output: number) {
	const total = { input_tokens: 1, output_tokens: output, cache_read_tokens: 0, cache_write_tokens: 0 };
	return { kind: 'usage.update', data: { total, by_model: { big: total } } } as const;
}

function permission(id: string) {
	return report(id, 'PermissionRequest', LS, true);
}

function answer(verdict: Extract<SessionInput, { type: 'answered' }>['verdict']): SessionInput {
	return { type: 'answered', askId: 's1.1' as AskId, verdict, principal: LEA, at: 8 };
}

function rule(decision: Rule['decision']): Rule {
	return { id: ruleId.parse('r1'), tool: 'Bash', decision, scope: 'user', scopeId: 'user', addedBy: 'test', createdAt: 0 };
}
