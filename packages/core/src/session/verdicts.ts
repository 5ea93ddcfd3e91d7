// What people say, and their silence, as decisions.
import type { Ask, AskVerdict, Principal } from '@roost/protocol/ask';
import { type RuntimeDecision, silence } from '../runtime/decision.ts';
import type { GateMode } from '../runtime/gate-mode.ts';
import { answeredOnly } from './refuse-answers.ts';

/** Null where the verdict does not fit the ask: a permission is decided, a question is answered. */
export function toDecision(ask: Ask, given: AskVerdict, { name, face, peer }: Principal): RuntimeDecision | null {
	if (given.type !== 'deny' && (given.type === 'answer') !== (ask.kind === 'question')) return null;
	// The face of a device is proven by its key, and no client can claim one with a colon.
	const claimed = face.includes(':') ? {} : { claimedFace: face };
	return {
		verdict: given.type === 'answer' ? { ...given, answers: answeredOnly(given.answers) } : given,
		source: 'user',
		askId: ask.id,
		...{ principal: `${name}@${face}`, ...claimed, ...(peer === undefined ? {} : { peer }) },
		...(given.type === 'deny' ? { reason: given.message } : {}),
	};
}

/** The decision where an ask would reach nobody. */
export function unaskable(gate: GateMode): RuntimeDecision {
	return silence(gate, { source: 'timeout', reason: 'nobody can be asked in this run' });
}
