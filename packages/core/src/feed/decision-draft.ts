// What was decided about a request, and by whom.
import { assertNever } from '@roost/protocol/assert-never';
import type { FeedData } from '@roost/protocol/feed/event';
import type { RuntimeDecision } from '../runtime/decision.ts';
import type { DraftOf } from './draft.ts';
import { SYSTEM, USER } from './entities.ts';
import type { OpenRequest } from './open-requests.ts';

type DecisionDraft = DraftOf<'permission.decision' | 'question.answer' | 'stop.decision'>;

/** Null where nobody had anything to decide. */
export function toDecisionDraft(request: OpenRequest, decision: RuntimeDecision): DecisionDraft | null {
	if (decision.noRule) return null;
	const actor_id = decision.source === 'user' ? USER : SYSTEM;
	const cause = { parent_event_id: request.eventId, tool_use_id: request.toolUseId };
	if (request.kind === 'stop') return { kind: 'stop.decision', actor_id, data: toStopDecision(request, decision), cause };
	if (request.kind === 'question' || decision.intent?.kind === 'question_answer') {
		return { kind: 'question.answer', actor_id, data: toAnswer(request, decision), cause };
	}
	return { kind: 'permission.decision', actor_id, data: toPermissionDecision(request, decision), cause };
}

function toPermissionDecision(request: OpenRequest, decision: RuntimeDecision): FeedData<'permission.decision'> {
	const origin = originOf(request, decision);
	const { intent } = decision;
	if (decision.type === 'block') return { decision_type: 'deny', message: decision.reason ?? 'Blocked', ...origin };
	if (decision.type === 'passthrough' || !intent) return { decision_type: 'no_opinion', ...origin };
	switch (intent.kind) {
		case 'permission_allow':
			return {
				decision_type: 'allow',
				updated_input: intent.updatedInput,
				updated_permissions: intent.updatedPermissions,
				...origin,
			};
		case 'pre_tool_allow':
			return { decision_type: 'allow', updated_input: intent.updatedInput, ...origin };
		case 'permission_deny':
			return { decision_type: 'deny', message: intent.reason, interrupt: intent.interrupt, ...origin };
		case 'pre_tool_deny':
		case 'stop_block':
			return { decision_type: 'deny', message: intent.reason, ...origin };
		case 'pre_tool_ask':
			return { decision_type: 'ask', ...origin, reason: origin.reason ?? intent.reason };
		case 'pre_tool_defer':
			return { decision_type: 'no_opinion', ...origin, reason: origin.reason ?? intent.reason ?? 'deferred' };
		case 'question_answer':
			return { decision_type: 'no_opinion', ...origin };
		default:
			return assertNever(intent);
	}
}

/** A question that is refused, or that nobody answers, has no answers; the reason says which. */
function toAnswer(request: OpenRequest, decision: RuntimeDecision): FeedData<'question.answer'> {
	const { intent } = decision;
	const refusal = intent?.kind === 'permission_deny' || intent?.kind === 'pre_tool_deny' ? intent.reason : undefined;
	const origin = originOf(request, decision);
	return { answers: intent?.kind === 'question_answer' ? intent.answers : {}, ...origin, reason: origin.reason ?? refusal };
}

function toStopDecision(request: OpenRequest, decision: RuntimeDecision): FeedData<'stop.decision'> {
	const origin = originOf(request, decision);
	if (decision.type === 'passthrough') return { decision_type: 'no_opinion', ...origin };
	const reason = decision.intent?.kind === 'stop_block' ? decision.intent.reason : decision.reason;
	if (decision.type === 'block' || decision.intent?.kind === 'stop_block') {
		return { decision_type: 'block', ...origin, reason: reason ?? 'Blocked' };
	}
	return { decision_type: 'allow', ...origin };
}

function originOf(request: OpenRequest, decision: RuntimeDecision) {
	const { source, ruleId, ruleIds, askId, principal, claimedFace, peer, reason } = decision;
	const several = ruleIds === undefined ? {} : { rule_ids: [...ruleIds] };
	const origin = { decided_by: source, rule_id: ruleId, ...several, ask_id: askId ?? request.askId, principal, reason };
	return source === 'user' ? { ...origin, claimed_face: claimedFace, peer } : origin;
}
