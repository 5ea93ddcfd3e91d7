// RuntimeDecision → what Claude Code is told. Passthrough is silence: it never becomes an allow.
import type { RuntimeDecision, RuntimeIntent } from '@roost/core/runtime/decision';
import type { RuntimeEvent } from '@roost/core/runtime/event';
import type { GateMode } from '@roost/core/runtime/gate-mode';
import { assertNever } from '@roost/protocol/assert-never';
import type { HookResultPayload } from '../../hooks/envelope.ts';
import { isJsonObject, type JsonObject } from '../../json-object.ts';
import { isGatingHook } from './hook-names.ts';

export function mapDecisionToResult(event: RuntimeEvent, decision: RuntimeDecision): HookResultPayload {
	const output = toOutput(event, decision);
	return output === null ? { action: 'passthrough' } : { action: 'json_output', stdout_json: output };
}

/** What takes effect: the decision itself, or where the hook has no words for it, silence (a refusal where Roost is the gate). */
export function fitDecision(event: RuntimeEvent, decision: RuntimeDecision, gate: GateMode): RuntimeDecision {
	if (decision.type === 'passthrough' || toOutput(event, decision) !== null) return decision;
	const wanted = decision.intent?.kind ?? decision.type;
	const type = gate === 'enforce' && isGatingHook(event.hookName) ? 'block' : 'passthrough';
	return { ...decision, type, intent: undefined, source: 'system', reason: `${wanted} is not supported by ${event.hookName}` };
}

/** Null where there is nothing to say, or no way to say it. */
function toOutput(event: RuntimeEvent, decision: RuntimeDecision): JsonObject | null {
	switch (decision.type) {
		case 'passthrough':
			return null;
		case 'block':
			return blockOutput(event.hookName, decision.reason ?? 'Blocked by Roost');
		case 'json':
			return decision.intent ? intentOutput(event, decision.intent) : null;
		default:
			return assertNever(decision.type);
	}
}

function blockOutput(hookName: string, reason: string): JsonObject | null {
	switch (hookName) {
		case 'PreToolUse':
			return preToolUse({ permissionDecision: 'deny', permissionDecisionReason: reason });
		case 'PermissionRequest':
			return permissionRequest({ behavior: 'deny', message: reason });
		case 'Stop':
		case 'SubagentStop':
		case 'UserPromptSubmit':
			return { decision: 'block', reason };
		default:
			return null;
	}
}

function intentOutput(event: RuntimeEvent, intent: RuntimeIntent): JsonObject | null {
	switch (event.hookName) {
		case 'PreToolUse':
			return preToolUseOutput(event, intent);
		case 'PermissionRequest':
			return permissionRequestOutput(event, intent);
		case 'Stop':
		case 'SubagentStop':
			return intent.kind === 'stop_block' ? { decision: 'block', reason: intent.reason } : null;
		default:
			return null;
	}
}

function preToolUseOutput(event: RuntimeEvent, intent: RuntimeIntent): JsonObject | null {
	switch (intent.kind) {
		case 'permission_allow':
			return preToolUse({ permissionDecision: 'allow', ...only({ updatedInput: intent.updatedInput }) });
		case 'permission_deny':
			return preToolUse({ permissionDecision: 'deny', permissionDecisionReason: intent.reason });
		case 'question_answer': {
			const updatedInput = answeredInput(event, intent.answers);
			return updatedInput && preToolUse({ permissionDecision: 'allow', updatedInput });
		}
		case 'pre_tool_allow': {
			const { updatedInput, additionalContext } = intent;
			return preToolUse({ permissionDecision: 'allow', ...only({ updatedInput, additionalContext }) });
		}
		case 'pre_tool_deny': {
			const { reason, additionalContext } = intent;
			return preToolUse({ permissionDecision: 'deny', permissionDecisionReason: reason, ...only({ additionalContext }) });
		}
		case 'pre_tool_ask': {
			const { reason: permissionDecisionReason, updatedInput, additionalContext } = intent;
			return preToolUse({ permissionDecision: 'ask', ...only({ permissionDecisionReason, updatedInput, additionalContext }) });
		}
		case 'pre_tool_defer':
			return preToolUse({ permissionDecision: 'defer', ...only({ permissionDecisionReason: intent.reason }) });
		case 'stop_block':
			return null;
		default:
			return assertNever(intent);
	}
}

function permissionRequestOutput(event: RuntimeEvent, intent: RuntimeIntent): JsonObject | null {
	switch (intent.kind) {
		case 'permission_allow': {
			const { updatedInput, updatedPermissions } = intent;
			return permissionRequest({ behavior: 'allow', ...only({ updatedInput, updatedPermissions }) });
		}
		case 'permission_deny':
			// The agent reads `message`; a `reason` would be ignored.
			return permissionRequest({ behavior: 'deny', message: intent.reason, ...only({ interrupt: intent.interrupt }) });
		case 'question_answer': {
			const updatedInput = answeredInput(event, intent.answers);
			return updatedInput && permissionRequest({ behavior: 'allow', updatedInput });
		}
		case 'pre_tool_allow':
			return permissionRequest({ behavior: 'allow', ...only({ updatedInput: intent.updatedInput }) });
		case 'pre_tool_deny':
			return permissionRequest({ behavior: 'deny', message: intent.reason });
		case 'pre_tool_ask':
		case 'pre_tool_defer':
		case 'stop_block':
			return null;
		default:
			return assertNever(intent);
	}
}

/** The input that answers a question tool: it replaces the old one, so the questions must be in it again. */
function answeredInput(event: RuntimeEvent, answers: Record<string, string>): JsonObject | null {
	const input = isJsonObject(event.payload) ? event.payload.tool_input : undefined;
	const questions = isJsonObject(input) ? input.questions : undefined;
	return Array.isArray(questions) ? { questions, answers } : null;
}

function preToolUse(output: JsonObject): JsonObject {
	return { hookSpecificOutput: { hookEventName: 'PreToolUse', ...output } };
}

function permissionRequest(decision: JsonObject): JsonObject {
	return { hookSpecificOutput: { hookEventName: 'PermissionRequest', decision } };
}

/** Leaves out what is undefined. */
function only(fields: JsonObject): JsonObject {
	return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
}
