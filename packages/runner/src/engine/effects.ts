// Performs the effects of a step on the runtime of the session.
import { silence } from '@roost/core/runtime/decision';
import type { GateMode } from '@roost/core/runtime/gate-mode';
import type { Runtime } from '@roost/core/runtime/runtime';
import type { Effect } from '@roost/core/session/step';
import { assertNever } from '@roost/protocol/assert-never';

/** Which launch of an agent a request came from. */
export type Origin = { readonly runtime: Runtime; readonly gate: GateMode };

export type EffectDeps = {
	/** The launch that waits for this request; undefined if its connection died with an earlier runner. */
	waiterOf: (requestId: string) => Origin | undefined;
	/** `isCounted`: report the usage too. */
	summarise: (transcriptPath: string, isCounted: boolean) => void;
	count: (transcriptPath: string) => void;
};

/** Effects that need not wait for the disk: no opinion, and the notice that a request is pending. */
export function isImmediate(effect: Effect): boolean {
	return effect.type === 'hold' || (effect.type === 'reply' && !effect.recorded);
}

/** Whether a decision in it could not be given, because it is not on disk. */
export function perform(effect: Effect, deps: EffectDeps, saved: boolean): boolean {
	switch (effect.type) {
		case 'reply': {
			const waiter = deps.waiterOf(effect.requestId);
			const isWithheld = !saved && effect.recorded && effect.decision.verdict.type === 'allow';
			waiter?.runtime.sendDecision(effect.requestId, isWithheld ? silence(waiter.gate, UNRECORDED) : effect.decision);
			return isWithheld;
		}
		case 'hold':
			deps.waiterOf(effect.requestId)?.runtime.hold(effect.requestId, effect.timeoutMs);
			break;
		case 'summarise':
			deps.summarise(effect.transcriptPath, effect.isCounted);
			break;
		case 'count':
			deps.count(effect.transcriptPath);
			break;
		default:
			assertNever(effect);
	}
	return false;
}

/** An allow that could not be recorded becomes no opinion, which the gate resolves. Denials are sent anyway. */
const UNRECORDED = { source: 'system', reason: 'Roost could not record the decision, so it gives none' } as const;
