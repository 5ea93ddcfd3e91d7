import type { RuntimeDecision } from '@roost/core/runtime/decision';
import type { RuntimeEvent } from '@roost/core/runtime/event';
import type { GateMode } from '@roost/core/runtime/gate-mode';
import { AppError } from '@roost/protocol/app-error';
import { err, ok } from '@roost/protocol/result';
import { ALLOW, NO_OPINION } from '@roost/testkit/rigs/agents/driven-story';
import { describe, expect, it } from 'vitest';
import { readRuntimeEvent } from '../base/to-event.ts';
import { createHookHandler } from './handle-hook.ts';

const DENY: RuntimeDecision = { verdict: { type: 'deny', message: 'no' }, source: 'rule', reason: 'no' };
const ASK: RuntimeDecision = { verdict: { type: 'ask' }, source: 'rule' };

const event = (hookName: string, command: string, id = command): RuntimeEvent =>
	readRuntimeEvent({ id, timestamp: 1, sessionId: 'n' }, hookName, { tool_name: 'Bash', tool_input: { command } });

/** Decides offered events at once, by id; rejects events without a decision. */
function receiveBy(decisions: Readonly<Record<string, RuntimeDecision>>, gate: GateMode = 'enforce') {
	const offered: string[] = [];
	const reported: string[] = [];
	const receiving = createHookHandler({
		gate,
		permits: { subjectOf: ({ payload }) => JSON.stringify(payload) },
		offer(one, answer) {
			const decision = decisions[one.id];
			if (!decision) return err(new AppError('too_large', 'too many'));
			offered.push(one.id);
			answer(decision);
			return ok({ abandon: () => {} });
		},
	});
	const receive = (...events: RuntimeEvent[]) =>
		receiving.receive(events, (one, { verdict, reason }) => reported.push(`${one.id} ${verdict.type} ${reason ?? ''}`.trim()));
	return { receive, offered, reported };
}

describe('hook of an agent that has no ask decision', () => {
	it('requests permission in enforce mode if no rule objects, and not in observe mode', () => {
		const enforced = receiveBy({ a: NO_OPINION, 'a:permission': ALLOW });
		enforced.receive(event('PreToolUse', 'a'));
		expect(enforced).toMatchObject({ offered: ['a', 'a:permission'], reported: ['a allow'] });
		const observed = receiveBy({ a: NO_OPINION }, 'observe');
		observed.receive(event('PreToolUse', 'a'));
		expect(observed).toMatchObject({ offered: ['a'], reported: ['a none'] });
	});

	it.each(['observe', 'enforce'] as const)('requests permission if a rule requires it, in %s mode', (gate) => {
		const world = receiveBy({ a: ASK, 'a:permission': DENY }, gate);
		world.receive(event('PreToolUse', 'a'));
		expect(world.reported).toEqual(['a deny no']);
	});

	it('is denied if it is not approved or the request cannot be queued', () => {
		const silent = receiveBy({ a: NO_OPINION, 'a:permission': NO_OPINION });
		silent.receive(event('PreToolUse', 'a'));
		expect(silent.reported).toEqual(['a deny this call was not approved']);
		const full = receiveBy({ a: NO_OPINION });
		full.receive(event('PreToolUse', 'a'));
		expect(full.reported).toEqual(['a deny too many']);
	});

	it('with several calls is denied at the first one that is denied or cannot be queued', () => {
		const world = receiveBy({ a: ALLOW, b: DENY, c: ALLOW });
		world.receive(event('PreToolUse', 'a'), event('PreToolUse', 'b'), event('PreToolUse', 'c'));
		expect(world).toMatchObject({ offered: ['a', 'b'], reported: ['b deny no'] });
		const cut = receiveBy({ a: ALLOW });
		cut.receive(event('PreToolUse', 'a'), event('PreToolUse', 'b'));
		expect(cut.reported).toEqual(['a deny too many']);
	});

	it('reuses an approval for one permission request, and not after the call has completed', () => {
		const world = receiveBy({ a: ALLOW, p2: DENY, done: NO_OPINION, p3: DENY });
		world.receive(event('PreToolUse', 'a'));
		world.receive(event('PermissionRequest', 'a', 'p1'));
		world.receive(event('PermissionRequest', 'a', 'p2'));
		expect(world.reported.slice(1)).toEqual(['p1 allow', 'p2 deny no']);
		const later = receiveBy({ a: ALLOW, done: NO_OPINION, p3: DENY });
		later.receive(event('PreToolUse', 'a'));
		later.receive(event('PostToolUse', 'a', 'done'));
		later.receive(event('PermissionRequest', 'a', 'p3'));
		expect(later.reported.at(-1)).toBe('p3 deny no');
	});
});
