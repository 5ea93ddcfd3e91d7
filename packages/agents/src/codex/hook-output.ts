// What Codex understands as the answer of a PreToolUse hook: nothing, another input, or a refusal with its reason.
import type { ToolInput } from '@roost/protocol/feed/base';
import { isJsonObject, stringAt } from '../base/json-object.ts';
import type { GuardWire } from '../base/types.ts';
import type { HookResultPayload } from '../hooks/envelope.ts';
import type { HookVerdict } from '../live/verdict.ts';
import { toNormalCalls } from './tool-calls.ts';

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
export function toPermissionOutput(verdict: HookVerdict): HookResultPayload {
	if (verdict.type !== 'allow' && verdict.type !== 'deny') return { action: 'passthrough' };
	const decision = verdict.type === 'allow' ? { behavior: 'allow' } : { behavior: 'deny', message: verdict.message };
	return { action: 'json_output', stdout_json: { hookSpecificOutput: { hookEventName: 'PermissionRequest', decision } } };
}

/** Codex takes it as a denial whatever was printed. */
const DENIED = 2;

export const codexGuardWire: GuardWire = {
	readCall(payload) {
		if (!isJsonObject(payload) || payload.hook_event_name !== 'PreToolUse') return null;
		const name = stringAt(payload, 'tool_name');
		const cwd = stringAt(payload, 'cwd');
		const input = payload.tool_input;
		if (!name || !cwd || !isJsonObject(input)) return null;
		const { calls } = toNormalCalls({ id: '', name, input, cwd });
		return calls.map(({ tool_name: tool, tool_input }) => ({ tool, input: tool_input, cwd }));
	},
	say(verdict) {
		// Silence, not an allow: the sandbox still holds.
		if (verdict.allowed) return { stdout: '', exitCode: 0 };
		const output = toHookOutput({ type: 'deny', reason: verdict.reason });
		const stdout = output.action === 'json_output' ? JSON.stringify(output.stdout_json) : '';
		return { stdout, stderr: verdict.reason, exitCode: DENIED };
	},
};
