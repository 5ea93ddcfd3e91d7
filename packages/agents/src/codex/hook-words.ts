// What Codex understands as the answer of a PreToolUse hook: nothing, another input, or a refusal with its reason.
import type { ToolInput } from '@roost/protocol/feed/base';
import type { HookResultPayload } from '../hooks/envelope.ts';
import type { SayableVerdict } from '../live/verdict.ts';

/** A plain allow has no word of its own here: Codex takes silence for it, and an explicit one for a mistake. */
export type HookAnswer = { type: 'pass' } | { type: 'edit'; input: ToolInput } | { type: 'deny'; reason: string };

export function toHookOutput(answer: HookAnswer): HookResultPayload {
	switch (answer.type) {
		case 'pass':
			return { action: 'passthrough' };
		case 'edit':
			return preToolUse({ permissionDecision: 'allow', updatedInput: answer.input });
		case 'deny':
			return preToolUse({ permissionDecision: 'deny', permissionDecisionReason: answer.reason });
	}
}

function preToolUse(output: Record<string, unknown>): HookResultPayload {
	return { action: 'json_output', stdout_json: { hookSpecificOutput: { hookEventName: 'PreToolUse', ...output } } };
}

/** The answer of a PermissionRequest hook: where it says nothing, Codex asks in its own terminal. */
export function toPermissionOutput(verdict: SayableVerdict): HookResultPayload {
	if (verdict.type !== 'allow' && verdict.type !== 'deny') return { action: 'passthrough' };
	const decision = verdict.type === 'allow' ? { behavior: 'allow' } : { behavior: 'deny', message: verdict.message };
	return { action: 'json_output', stdout_json: { hookSpecificOutput: { hookEventName: 'PermissionRequest', decision } } };
}
