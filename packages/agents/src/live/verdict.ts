// RuntimeDecision → what a driven agent may be told about a call, whichever agent it is. Passthrough never becomes an allow.
import type { RuntimeDecision, RuntimeIntent } from '@roost/core/runtime/decision';
import type { RuntimeEvent } from '@roost/core/runtime/event';
import type { GateMode } from '@roost/core/runtime/gate-mode';
import { assertNever } from '@roost/protocol/assert-never';
import type { ToolInput } from '@roost/protocol/feed/base';
import { isJsonObject } from '../json-object.ts';

export type Verdict =
	| { type: 'none' }
	| { type: 'ask'; reason?: string | undefined; input?: ToolInput | undefined; context?: string | undefined }
	| { type: 'allow'; input?: ToolInput | undefined; context?: string | undefined; updates?: readonly unknown[] | undefined }
	| { type: 'deny'; reason: string; context?: string | undefined; interrupt?: boolean | undefined };

/** Null where the agent has no words for it. */
export function toVerdict(event: RuntimeEvent, decision: RuntimeDecision): Verdict | null {
	switch (decision.type) {
		case 'passthrough':
			return { type: 'none' };
		case 'block':
			return { type: 'deny', reason: decision.reason ?? 'Blocked by Roost' };
		case 'json':
			return decision.intent ? intentVerdict(event, decision.intent) : null;
		default:
			return assertNever(decision.type);
	}
}

/** What takes effect: where it cannot be said, silence, or a refusal where Roost is the gate. */
export function fitVerdict(event: RuntimeEvent, decision: RuntimeDecision, gate: GateMode): RuntimeDecision {
	if (!event.interaction.expectsDecision || toVerdict(event, decision)) return decision;
	const wanted = decision.intent?.kind ?? decision.type;
	const type = gate === 'enforce' ? 'block' : 'passthrough';
	return { ...decision, type, intent: undefined, source: 'system', reason: `${wanted} is not supported by ${event.hookName}` };
}

function intentVerdict(event: RuntimeEvent, intent: RuntimeIntent): Verdict | null {
	switch (intent.kind) {
		case 'permission_allow':
			return { type: 'allow', input: intent.updatedInput, updates: intent.updatedPermissions };
		case 'permission_deny':
			return { type: 'deny', reason: intent.reason, interrupt: intent.interrupt };
		case 'question_answer': {
			const input = answeredInput(event, intent.answers);
			return input && { type: 'allow', input };
		}
		case 'pre_tool_allow':
			return { type: 'allow', input: intent.updatedInput, context: intent.additionalContext };
		case 'pre_tool_deny':
			return { type: 'deny', reason: intent.reason, context: intent.additionalContext };
		case 'pre_tool_ask': {
			if (event.hookName !== 'PreToolUse') return null;
			return { type: 'ask', reason: intent.reason, input: intent.updatedInput, context: intent.additionalContext };
		}
		// Deferring ends the agent, and nothing would take the call up again.
		case 'pre_tool_defer':
		case 'stop_block':
			return null;
		default:
			return assertNever(intent);
	}
}

/** The input replaces the old one, so the questions must be in it again. */
function answeredInput(event: RuntimeEvent, answers: Record<string, string>): ToolInput | null {
	const input = isJsonObject(event.payload) ? event.payload.tool_input : undefined;
	const questions = isJsonObject(input) ? input.questions : undefined;
	return Array.isArray(questions) ? { questions, answers } : null;
}
