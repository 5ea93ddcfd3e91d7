// Turns what people say, and their silence, into decisions an agent understands.
import type { Ask, Principal, Verdict } from '@roost/protocol/ask';
import { assertNever } from '@roost/protocol/assert-never';
import type { RuntimeDecision } from '../runtime/decision.ts';
import type { GateMode } from '../runtime/gate-mode.ts';
import { answeredOnly } from './refuse-answers.ts';

/** Null where the verdict does not fit the ask: a permission is decided, a question is answered. */
export function toDecision(ask: Ask, verdict: Verdict, principal: Principal): RuntimeDecision | null {
	const { name, face, peer } = principal;
	// The face of a device is proven by its key, and no client can claim one with a colon.
	const claimed = face.includes(':') ? {} : { claimedFace: face };
	const who = { principal: `${name}@${face}`, ...claimed, ...(peer === undefined ? {} : { peer }) };
	const by = { type: 'json', source: 'user', askId: ask.id, ...who } as const;
	switch (verdict.type) {
		case 'allow':
			if (ask.kind === 'question') return null;
			return {
				...by,
				intent: { kind: 'permission_allow', updatedInput: verdict.updatedInput, updatedPermissions: verdict.updatedPermissions },
			};
		case 'deny':
			return {
				...by,
				reason: verdict.message,
				intent: { kind: 'permission_deny', reason: verdict.message, interrupt: verdict.interrupt },
			};
		case 'answer':
			return ask.kind === 'question'
				? { ...by, intent: { kind: 'question_answer', answers: answeredOnly(verdict.answers) } }
				: null;
		default:
			return assertNever(verdict);
	}
}

/** The decision where an ask would reach nobody. */
export function unaskable(gate: GateMode): RuntimeDecision {
	const reason = 'nobody can be asked in this run';
	return gate === 'enforce' ? { type: 'block', source: 'timeout', reason } : { type: 'passthrough', source: 'timeout', reason };
}
