import type { AskVerdict } from '@roost/protocol/ask';
import { sessionId } from '@roost/protocol/ids';
import { describe, expect, it } from 'vitest';
import { mapDecision } from '../feed/mapper.ts';
import { createRedactor } from '../redaction/redact.ts';
import type { RuntimeDecision } from '../runtime/decision.ts';
import { readReport } from '../runtime/normal-form/read-report.ts';
import { toRecordedDecision } from './recorded-decision.ts';
import { createSessionState, evolveSession } from './state.ts';
import { step } from './step.ts';

const LEA = { name: 'lea', face: 'test' };
const QUESTIONS = { questions: [{ question: 'Which?', multiSelect: false, options: [{ label: 'A' }] }] };

describe('decision restored from the record', () => {
	it.each<[string, AskVerdict, 'Bash' | 'AskUserQuestion']>([
		['an allow', { type: 'allow' }, 'Bash'],
		['an allow of another input', { type: 'allow', updatedInput: { command: 'ls -a' } }, 'Bash'],
		['an allow with permissions', { type: 'allow', updatedPermissions: [{ type: 'addRules' }] }, 'Bash'],
		['a denial', { type: 'deny', message: 'no', interrupt: true }, 'Bash'],
		['an answer', { type: 'answer', answers: { 'Which?': 'A' } }, 'AskUserQuestion'],
		['a declined question', { type: 'deny', message: 'ask later' }, 'AskUserQuestion'],
	])('equals the original decision: %s', (_name, verdict, tool) => {
		const { send, reread } = session();
		const ask = send({ type: 'reported', event: request(tool) }).asks[0]?.ask;
		if (!ask) throw new Error('nothing was asked');
		const effect = send({ type: 'answered', askId: ask.id, verdict, principal: LEA, at: 8 }).effects[0];
		const made = effect?.type === 'reply' ? effect.decision : undefined;
		const again = reread();
		expect(again).toMatchObject({ source: 'user', askId: ask.id, principal: 'lea@test' });
		expect(withoutUndefined(again?.verdict)).toEqual(withoutUndefined(made?.verdict));
	});

	it.each<[string, RuntimeDecision, 'observe' | 'enforce', string]>([
		['a timeout', { verdict: { type: 'none' }, source: 'timeout' }, 'observe', 'none'],
		['a timeout', { verdict: { type: 'none' }, source: 'timeout' }, 'enforce', 'deny'],
		['a lost connection', { verdict: { type: 'none' }, source: 'system', reason: 'gone' }, 'enforce', 'deny'],
		['an allow recorded by an older version', { verdict: { type: 'allow' }, source: 'terminal' }, 'enforce', 'deny'],
	])('never turns a missing answer into an allow: %s', (_name, decision, gate, type) => {
		for (const tool of ['Bash', 'AskUserQuestion'] as const) {
			const { send, reread } = session();
			send({ type: 'reported', event: request(tool) });
			send({ type: 'settled', requestId: 'p1', decision, at: 8 });
			expect(reread(gate)).toMatchObject({ verdict: { type }, source: decision.source });
		}
	});

	it('remains a denial if a denial was recorded', () => {
		const { send, reread } = session();
		send({ type: 'reported', event: request('Bash') });
		send({
			type: 'settled',
			requestId: 'p1',
			decision: { verdict: { type: 'deny', message: 'late' }, source: 'timeout', reason: 'late' },
			at: 8,
		});
		expect(reread('observe')).toMatchObject({ verdict: { type: 'deny', message: 'late' } });
	});

	it('is kept only for the most recent requests, live and replayed', () => {
		const { send, state, events } = session();
		for (let index = 0; index < 600; index += 1) {
			send({ type: 'reported', event: { ...request('Bash'), id: `p${index}` } });
			send({ type: 'settled', requestId: `p${index}`, decision: { verdict: { type: 'none' }, source: 'timeout' }, at: 8 });
		}
		expect(state.decided.size).toBe(512);
		const replayed = createSessionState(state.sessionId);
		for (const event of events) evolveSession(replayed, event);
		expect(replayed.decided).toEqual(state.decided);
		expect(mapDecision(state.feed, 'p599', { verdict: { type: 'none' }, source: 'timeout' }, 9)).toBeNull();
	});
});

function session() {
	const state = createSessionState(sessionId.parse('s1'));
	const events: Parameters<typeof evolveSession>[1][] = [];
	const capabilities = {
		agent: 'mock',
		questionHook: 'PermissionRequest',
		allowHook: 'PermissionRequest',
		takesPrompts: false,
	} as const;
	const scope = { sessionId: state.sessionId, projectId: '/p' };
	const redactor = createRedactor(() => '0123abcd');
	const policy = { rules: [], builtinDenies: [], scope, gate: 'observe', capabilities, askTimeoutMs: 1_000, redactor } as const;
	return {
		state,
		events,
		send(input: Parameters<typeof step>[1]) {
			const result = step(state, input, policy);
			events.push(...result.events);
			return result;
		},
		reread(gate: 'observe' | 'enforce' = 'observe') {
			const event = state.decided.get('p1');
			return event && toRecordedDecision(event, gate);
		},
	};
}

function request(tool: 'Bash' | 'AskUserQuestion') {
	const tool_input = tool === 'Bash' ? { command: 'ls' } : QUESTIONS;
	return {
		id: 'p1',
		timestamp: 7,
		sessionId: 'n1',
		toolName: tool,
		context: { cwd: '/p', transcriptPath: '' },
		interaction: { expectsDecision: true },
		...readReport('PermissionRequest', { tool_name: tool, tool_input }),
	};
}

function withoutUndefined(value: unknown): unknown {
	return value === undefined ? undefined : JSON.parse(JSON.stringify(value));
}
