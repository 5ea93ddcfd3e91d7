// The event of a decision about a request.
import { assertNever } from '@roost/protocol/assert-never';
import type { FeedData } from '@roost/protocol/feed/event';
import type { RuntimeDecision } from '../runtime/decision.ts';
import type { DraftOf } from './draft.ts';
import { SYSTEM, USER } from './entities.ts';
import type { OpenRequest } from './open-requests.ts';

type DecisionDraft = DraftOf<'permission.decision' | 'question.answer' | 'stop.decision'>;

/** Null where there was nothing to decide. */
export function toDecisionDraft(request: OpenRequest, decision: RuntimeDecision): DecisionDraft | null {
	if (decision.noRule) return null;
	const actor_id = decision.source === 'user' ? USER : SYSTEM;
	const cause = { parent_event_id: request.eventId, tool_use_id: request.toolUseId };
	if (request.kind === 'stop') return { kind: 'stop.decision', actor_id, data: toStopDecision(request, decision), cause };
	if (request.kind === 'question' || decision.verdict.type === 'answer') {
		return { kind: 'question.answer', actor_id, data: toAnswer(request, decision), cause };
	}
	return { kind: 'permission.decision', actor_id, data: toPermissionDecision(request, decision), cause };
}

function toPermissionDecision(request: OpenRequest, decision: RuntimeDecision): FeedData<'permission.decision'> {
	const origin = originOf(request, decision);
	const { verdict } = decision;
	switch (verdict.type) {
		case 'allow':
			return {
				decision_type: 'allow',
				updated_input: verdict.updatedInput,
				updated_permissions: verdict.updatedPermissions,
				...origin,
			};
		case 'deny':
			return { decision_type: 'deny', message: verdict.message, interrupt: verdict.interrupt, ...origin };
		case 'ask':
			return { decision_type: 'ask', ...origin, reason: origin.reason ?? verdict.message };
		case 'answer':
		case 'none':
			return { decision_type: 'no_opinion', ...origin };
		default:
			return assertNever(verdict);
	}
}

/** A question that was denied or not answered has no answers; the reason says which. */
function toAnswer(request: OpenRequest, decision: RuntimeDecision): FeedData<'question.answer'> {
	const { verdict } = decision;
	const origin = originOf(request, decision);
	const refusal = verdict.type === 'deny' ? verdict.message : undefined;
	return { answers: verdict.type === 'answer' ? verdict.answers : {}, ...origin, reason: origin.reason ?? refusal };
}

function toStopDecision(request: OpenRequest, decision: RuntimeDecision): FeedData<'stop.decision'> {
	const origin = originOf(request, decision);
	const { verdict } = decision;
	if (verdict.type === 'none') return { decision_type: 'no_opinion', ...origin };
	return verdict.type === 'deny'
		? { decision_type: 'block', ...origin, reason: verdict.message }
		: { decision_type: 'allow', ...origin };
}

function originOf(request: OpenRequest, decision: RuntimeDecision) {
	const { source, ruleId, ruleIds, askId, principal, claimedFace, peer, signed, reason } = decision;
	const several = ruleIds === undefined ? {} : { rule_ids: [...ruleIds] };
	const origin = { decided_by: source, rule_id: ruleId, ...several, ask_id: askId ?? request.askId, principal, reason };
	return source === 'user' ? { ...origin, claimed_face: claimedFace, peer, ...(signed && { signed }) } : origin;
}
