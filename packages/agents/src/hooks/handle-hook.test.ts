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

/** Decides at once what is offered, by its id; what is not named there is refused to be heard. */
function hearBy(decisions: Readonly<Record<string, RuntimeDecision>>, gate: GateMode = 'enforce') {
	const offered: string[] = [];
	const told: string[] = [];
	const hearing = createHookHandler({
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
	const hear = (...events: RuntimeEvent[]) =>
		hearing.hear(events, (one, { verdict, reason }) => told.push(`${one.id} ${verdict.type} ${reason ?? ''}`.trim()));
	return { hear, offered, told };
}

describe('a hook of an agent that cannot be told to ask', () => {
	it('is one question more where nobody objects and Roost is the gate, and none where it only observes', () => {
		const enforced = hearBy({ a: NO_OPINION, 'a:permission': ALLOW });
		enforced.hear(event('PreToolUse', 'a'));
		expect(enforced).toMatchObject({ offered: ['a', 'a:permission'], told: ['a allow'] });
		const observed = hearBy({ a: NO_OPINION }, 'observe');
		observed.hear(event('PreToolUse', 'a'));
		expect(observed).toMatchObject({ offered: ['a'], told: ['a none'] });
	});

	it.each(['observe', 'enforce'] as const)('is one where a rule wants somebody to be asked, in %s mode too', (gate) => {
		const world = hearBy({ a: ASK, 'a:permission': DENY }, gate);
		world.hear(event('PreToolUse', 'a'));
		expect(world.told).toEqual(['a deny no']);
	});

	it('is refused where nobody allows it, or nobody can be asked', () => {
		const silent = hearBy({ a: NO_OPINION, 'a:permission': NO_OPINION });
		silent.hear(event('PreToolUse', 'a'));
		expect(silent.told).toEqual(['a deny this call was not approved']);
		const full = hearBy({ a: NO_OPINION });
		full.hear(event('PreToolUse', 'a'));
		expect(full.told).toEqual(['a deny too many']);
	});

	it('that speaks of several calls is answered when all may be made, or at the first that may not', () => {
		const world = hearBy({ a: ALLOW, b: DENY, c: ALLOW });
		world.hear(event('PreToolUse', 'a'), event('PreToolUse', 'b'), event('PreToolUse', 'c'));
		expect(world).toMatchObject({ offered: ['a', 'b'], told: ['b deny no'] });
		const cut = hearBy({ a: ALLOW });
		cut.hear(event('PreToolUse', 'a'), event('PreToolUse', 'b'));
		expect(cut.told).toEqual(['a deny too many']);
	});

	it('needs no second permission for what was permitted, once, and not after it was done', () => {
		const world = hearBy({ a: ALLOW, p2: DENY, done: NO_OPINION, p3: DENY });
		world.hear(event('PreToolUse', 'a'));
		world.hear(event('PermissionRequest', 'a', 'p1'));
		world.hear(event('PermissionRequest', 'a', 'p2'));
		expect(world.told.slice(1)).toEqual(['p1 allow', 'p2 deny no']);
		const later = hearBy({ a: ALLOW, done: NO_OPINION, p3: DENY });
		later.hear(event('PreToolUse', 'a'));
		later.hear(event('PostToolUse', 'a', 'done'));
		later.hear(event('PermissionRequest', 'a', 'p3'));
		expect(later.told.at(-1)).toBe('p3 deny no');
	});
});
