// What is on record about a request, as the decision it was: an agent whose reply was lost is told the same again.

import { assertNever } from '@roost/protocol/assert-never';
import type { FeedEventOf } from '@roost/protocol/feed/event';
import type { RuntimeDecision, RuntimeIntent } from '../runtime/decision.ts';
import type { GateMode } from '../runtime/gate-mode.ts';

export type DecisionEvent = FeedEventOf<'permission.decision' | 'question.answer'>;

/** Silence that was recorded stays silence, which is a refusal where Roost is the gate. */
export function toRecordedDecision(event: DecisionEvent, gate: GateMode): RuntimeDecision {
	const { decided_by: source, rule_id: ruleId, rule_ids: ruleIds, ask_id: askId, principal, reason } = event.data;
	const origin = { source, ruleId, ...(ruleIds && { ruleIds }), askId, principal, reason };
	const intent = intentOf(event);
	if (intent && !isRedacted(intent)) return { ...origin, type: 'json', intent };
	const why = intent ? 'the recorded answer held a secret, which is not kept: ask again' : reason;
	return { ...origin, type: gate === 'enforce' ? 'block' : 'passthrough', reason: why };
}

/** What was inferred from an agent's report is no allow, also where an older version recorded it as one. */
export function intentOf(event: DecisionEvent): RuntimeIntent | null {
	if (event.data.decided_by === 'terminal') return null;
	return event.kind === 'question.answer' ? answerOf(event) : permissionOf(event);
}

function permissionOf({ data }: FeedEventOf<'permission.decision'>): RuntimeIntent | null {
	switch (data.decision_type) {
		case 'allow':
			return {
				kind: 'permission_allow',
				updatedInput: data.updated_input,
				updatedPermissions: Array.isArray(data.updated_permissions) ? data.updated_permissions : undefined,
			};
		case 'deny':
			return { kind: 'permission_deny', reason: data.message, interrupt: data.interrupt };
		case 'ask':
			return { kind: 'pre_tool_ask', reason: data.reason };
		case 'no_opinion':
			return null;
		default:
			return assertNever(data);
	}
}

/** Without answers it was refused, if by a person; else nobody said anything. */
function answerOf({ data }: FeedEventOf<'question.answer'>): RuntimeIntent | null {
	if (Object.keys(data.answers).length > 0) return { kind: 'question_answer', answers: data.answers };
	return data.decided_by === 'user' || data.decided_by === 'rule'
		? { kind: 'permission_deny', reason: data.reason ?? 'refused' }
		: null;
}

/** Input with a mark in the place of a secret would run as something nobody wrote. */
function isRedacted(intent: RuntimeIntent): boolean {
	return intent.kind !== 'permission_deny' && JSON.stringify(intent).includes('[redacted:');
}
