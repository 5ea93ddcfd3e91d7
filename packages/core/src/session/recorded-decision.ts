// Decisions read back from the record: an agent whose reply was lost gets the same decision again.
import type { AskState, Verdict } from '@roost/protocol/ask';
import { assertNever } from '@roost/protocol/assert-never';
import type { FeedEventOf } from '@roost/protocol/feed/event';
import { type RuntimeDecision, silence } from '../runtime/decision.ts';
import type { GateMode } from '../runtime/gate-mode.ts';

export type DecisionEvent = FeedEventOf<'permission.decision' | 'question.answer'>;

/** A recorded "no opinion" stays one, which is a denial in enforce mode. */
export function toRecordedDecision(event: DecisionEvent, gate: GateMode): RuntimeDecision {
	const { decided_by: source, rule_id: ruleId, rule_ids: ruleIds, ask_id: askId, principal, reason } = event.data;
	const origin = { source, ruleId, ...(ruleIds && { ruleIds }), askId, principal, reason };
	const verdict = verdictOf(event);
	if (isRedacted(verdict))
		return silence(gate, { ...origin, reason: 'the recorded answer held a secret, which is not kept: ask again' });
	return verdict.type === 'none' ? silence(gate, { ...origin, reason: reason ?? UNKNOWN }) : { ...origin, verdict };
}

const UNKNOWN = 'Blocked by Roost';

/** An outcome inferred from an agent's report is no allow, even if an older version recorded it as one. */
export function verdictOf(event: DecisionEvent): Verdict {
	if (event.data.decided_by === 'terminal') return NONE;
	return event.kind === 'question.answer' ? answerOf(event) : permissionOf(event);
}

const NONE: Verdict = { type: 'none' };

function permissionOf({ data }: FeedEventOf<'permission.decision'>): Verdict {
	switch (data.decision_type) {
		case 'allow':
			return {
				type: 'allow',
				updatedInput: data.updated_input,
				updatedPermissions: Array.isArray(data.updated_permissions) ? data.updated_permissions : undefined,
			};
		case 'deny':
			return { type: 'deny', message: data.message, interrupt: data.interrupt };
		case 'ask':
			return { type: 'ask', message: data.reason };
		case 'no_opinion':
			return NONE;
		default:
			return assertNever(data);
	}
}

/** Without answers it was denied, if a person or a rule decided; else there is no opinion. */
function answerOf({ data }: FeedEventOf<'question.answer'>): Verdict {
	if (Object.keys(data.answers).length > 0) return { type: 'answer', answers: data.answers };
	return data.decided_by === 'user' || data.decided_by === 'rule' ? { type: 'deny', message: data.reason ?? 'refused' } : NONE;
}

/** Input with a redaction mark in place of a secret must not run. */
function isRedacted(verdict: Verdict): boolean {
	return verdict.type !== 'deny' && JSON.stringify(verdict).includes('[redacted:');
}

export function closedState({ source, verdict }: Pick<RuntimeDecision, 'source' | 'verdict'>): AskState {
	switch (source) {
		case 'timeout':
			return 'expired';
		case 'terminal':
			return 'answered-elsewhere';
		case 'system':
			return 'cancelled';
		case 'rule':
		case 'user':
			if (verdict.type === 'answer') return 'answered';
			return verdict.type === 'allow' ? 'allowed' : 'denied';
		default:
			return assertNever(source);
	}
}
