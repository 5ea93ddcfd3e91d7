// What Claude's SDK is told of a verdict, at the gate and where Claude asks for permission.
import type { PermissionResult, PermissionUpdate, SyncHookJSONOutput } from '@anthropic-ai/claude-agent-sdk';
import { isSameJson } from '@roost/core/feed/same-json';
import { assertNever } from '@roost/protocol/assert-never';
import type { ToolInput } from '@roost/protocol/feed/base';
import type { SayableVerdict } from '../../live/verdict.ts';

export function toHookOutput(verdict: SayableVerdict): SyncHookJSONOutput {
	switch (verdict.type) {
		case 'none':
			return {};
		case 'allow':
			return preToolUse('allow', verdict.updatedInput === undefined ? {} : { updatedInput: verdict.updatedInput });
		case 'ask':
		case 'deny':
			return preToolUse(verdict.type, verdict.message === undefined ? {} : { permissionDecisionReason: verdict.message });
		default:
			return assertNever(verdict);
	}
}

function preToolUse(permissionDecision: 'allow' | 'deny' | 'ask', said: object): SyncHookJSONOutput {
	return { hookSpecificOutput: { hookEventName: 'PreToolUse', permissionDecision, ...said } };
}

/** Of the permissions that somebody grants, only what Claude itself suggested for this call is taken, and only for this session. */
export function toPermissionResult(
	verdict: SayableVerdict,
	asked: { input: ToolInput; suggestions: readonly PermissionUpdate[] },
): PermissionResult {
	switch (verdict.type) {
		case 'allow': {
			const granted = asked.suggestions.filter((one) => verdict.updatedPermissions?.some((update) => isSameJson(update, one)));
			const updates = granted.map((update) => ({ ...update, destination: 'session' as const }));
			return {
				behavior: 'allow',
				updatedInput: verdict.updatedInput ?? asked.input,
				...(updates.length > 0 ? { updatedPermissions: updates } : {}),
			};
		}
		case 'deny':
			return { behavior: 'deny', message: verdict.message, ...(verdict.interrupt ? { interrupt: true } : {}) };
		case 'none':
		case 'ask':
			return { behavior: 'deny', message: 'Nobody allowed this.' };
		default:
			return assertNever(verdict);
	}
}
