// What Claude's SDK is told of a verdict, at the gate and where Claude asks for permission.
import type { PermissionResult, PermissionUpdate, SyncHookJSONOutput } from '@anthropic-ai/claude-agent-sdk';
import { isSameJson } from '@roost/core/feed/same-json';
import { assertNever } from '@roost/protocol/assert-never';
import type { ToolInput } from '@roost/protocol/feed/base';
import type { Verdict } from '../../live/verdict.ts';

export function toHookOutput(verdict: Verdict): SyncHookJSONOutput {
	switch (verdict.type) {
		case 'none':
			return {};
		case 'ask':
			return preToolUse('ask', verdict.reason, verdict);
		case 'allow':
			return preToolUse('allow', undefined, verdict);
		case 'deny':
			return preToolUse('deny', verdict.reason, verdict);
		default:
			return assertNever(verdict);
	}
}

function preToolUse(
	permissionDecision: 'allow' | 'deny' | 'ask',
	reason: string | undefined,
	said: { input?: ToolInput | undefined; context?: string | undefined },
): SyncHookJSONOutput {
	return {
		hookSpecificOutput: {
			hookEventName: 'PreToolUse',
			permissionDecision,
			...(reason === undefined ? {} : { permissionDecisionReason: reason }),
			...(said.input === undefined ? {} : { updatedInput: said.input }),
			...(said.context === undefined ? {} : { additionalContext: said.context }),
		},
	};
}

/** Of the permissions that somebody grants, only what Claude itself suggested for this call is taken, and only for this session. */
export function toPermissionResult(
	verdict: Verdict,
	asked: { input: ToolInput; suggestions: readonly PermissionUpdate[] },
): PermissionResult {
	switch (verdict.type) {
		case 'allow': {
			const granted = asked.suggestions.filter((one) => verdict.updates?.some((update) => isSameJson(update, one)));
			const updates = granted.map((update) => ({ ...update, destination: 'session' as const }));
			return {
				behavior: 'allow',
				updatedInput: verdict.input ?? asked.input,
				...(updates.length > 0 ? { updatedPermissions: updates } : {}),
			};
		}
		case 'deny':
			return { behavior: 'deny', message: verdict.reason, ...(verdict.interrupt ? { interrupt: true } : {}) };
		case 'none':
		case 'ask':
			return { behavior: 'deny', message: 'Nobody allowed this.' };
		default:
			return assertNever(verdict);
	}
}
