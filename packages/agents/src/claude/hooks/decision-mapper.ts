// Hook output of Claude Code for a decision. No opinion is no output: it never becomes an allow.
import type { RuntimeDecision } from '@roost/core/runtime/decision';
import type { RuntimeEvent } from '@roost/core/runtime/event';
import type { GateMode } from '@roost/core/runtime/gate-mode';
import type { JsonObject } from '../../base/json-object.ts';
import type { HookResultPayload } from '../../hooks/envelope.ts';
import { isGatingHook } from '../../hooks/hook-names.ts';
import { type HookVerdict, toHookVerdict, unsaid } from '../../live/verdict.ts';

export function mapDecisionToResult(event: RuntimeEvent, decision: RuntimeDecision): HookResultPayload {
	const output = toOutput(event, decision);
	return output === null ? { action: 'passthrough' } : { action: 'json_output', stdout_json: output };
}

/** An unsupported decision becomes no opinion, or a denial in enforce mode. */
export function fitDecision(event: RuntimeEvent, decision: RuntimeDecision, gate: GateMode): RuntimeDecision {
	if (decision.verdict.type === 'none' || toOutput(event, decision) !== null) return decision;
	return unsaid(event, decision, isGatingHook(event.hookName) ? gate : 'observe');
}

/** Null for no opinion and for unsupported decisions. */
function toOutput(event: RuntimeEvent, decision: RuntimeDecision): JsonObject | null {
	const verdict = toHookVerdict(event, decision);
	if (verdict === null || verdict.type === 'none') return null;
	switch (event.hookName) {
		case 'PreToolUse':
			return preToolUse({ permissionDecision: verdict.type, ...preToolUseWords(verdict) });
		case 'PermissionRequest':
			return verdict.type === 'ask' ? null : permissionRequest({ behavior: verdict.type, ...permissionWords(verdict) });
		case 'Stop':
		case 'SubagentStop':
		case 'UserPromptSubmit':
			return verdict.type === 'deny' ? { decision: 'block', reason: verdict.message } : null;
		default:
			return null;
	}
}

type Said = Exclude<HookVerdict, { type: 'none' }>;

function preToolUseWords(verdict: Said): JsonObject {
	return verdict.type === 'allow'
		? only({ updatedInput: verdict.updatedInput })
		: only({ permissionDecisionReason: verdict.message });
}

function permissionWords(verdict: Exclude<Said, { type: 'ask' }>): JsonObject {
	return verdict.type === 'allow'
		? only({ updatedInput: verdict.updatedInput, updatedPermissions: verdict.updatedPermissions })
		: // The agent reads `message`; a `reason` would be ignored.
			only({ message: verdict.message, interrupt: verdict.interrupt });
}

function preToolUse(output: JsonObject): JsonObject {
	return { hookSpecificOutput: { hookEventName: 'PreToolUse', ...output } };
}

function permissionRequest(decision: JsonObject): JsonObject {
	return { hookSpecificOutput: { hookEventName: 'PermissionRequest', decision } };
}

function only(fields: JsonObject): JsonObject {
	return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
}
