import { type RuntimeDecision, silence } from '@roost/core/runtime/decision';
import { type AskState, ask, type Verdict } from '@roost/protocol/ask';
import { describe, expect, it } from 'vitest';
import { createAskBook } from './ask-book.ts';

const ASK = ask.parse({
	...{ id: 's1.1', sessionId: 's1', kind: 'permission', tool: 'Bash', input: { command: 'ls' }, state: 'pending', risk: 'low' },
	...{ actorId: 'agent:root', eventId: 's1:R1:E1', reason: 'no rule matched', openedAt: 1, expiresAt: 9 },
});

describe('row of an ask', () => {
	it.each<[string, Verdict]>([
		['an allow', { type: 'allow', updatedInput: { command: 'pwd' } }],
		['a denial', { type: 'deny', message: 'no', interrupt: true }],
		['an answer', { type: 'answer', answers: { 'Which?': 'A' } }],
	])('keeps the verdict of a person: %s', (_, verdict) => {
		expect(close('denied', { verdict, source: 'user' }).verdict).toEqual(verdict);
	});

	it.each<[AskState, RuntimeDecision]>([
		['expired', silence('enforce', { source: 'timeout', reason: 'nobody answered in time' })],
		['cancelled', silence('enforce', { source: 'system', reason: 'the runner ended' })],
		['answered-elsewhere', silence('enforce', { source: 'terminal', reason: 'the agent reported it' })],
		['expired', silence('observe', { source: 'timeout', reason: 'nobody answered in time' })],
	])('has no verdict if no person answered, even if the request was denied: %s', (state, decision) => {
		expect(close(state, decision)).toMatchObject({ state, decidedBy: decision.source, verdict: undefined });
	});
});

function close(state: AskState, decision: RuntimeDecision) {
	const book = createAskBook({ newNonce: () => 'n', hash: () => 'h', load: () => undefined });
	book.apply({ ask: ASK, state: 'pending', at: 1 });
	return book.apply({ ask: ASK, state, decision, at: 2 });
}
