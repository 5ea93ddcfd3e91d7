// Hook output and guard protocol of Codex: no output, a changed input, or a denial.
import type { ToolInput } from '@roost/protocol/feed/base';
import { isJsonObject, stringAt } from '../base/json-object.ts';
import type { GuardWire } from '../base/types.ts';
import type { HookResultPayload } from '../hooks/envelope.ts';
import type { HookVerdict } from '../live/verdict.ts';
import { toNormalCalls } from './tool-calls.ts';

/** There is no explicit allow: Codex takes no output for one, and reports an explicit one as an error. */
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

/** Without output Codex asks in its own terminal. */
export function toPermissionOutput(verdict: HookVerdict): HookResultPayload {
	if (verdict.type !== 'allow' && verdict.type !== 'deny') return { action: 'passthrough' };
	const decision = verdict.type === 'allow' ? { behavior: 'allow' } : { behavior: 'deny', message: verdict.message };
	return { action: 'json_output', stdout_json: { hookSpecificOutput: { hookEventName: 'PermissionRequest', decision } } };
}

/** Codex treats this exit code as a denial. */
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
		// No output, not an allow: the sandbox still applies.
		if (verdict.allowed) return { stdout: '', exitCode: 0 };
		const output = toHookOutput({ type: 'deny', reason: verdict.reason });
		const stdout = output.action === 'json_output' ? JSON.stringify(output.stdout_json) : '';
		return { stdout, stderr: verdict.reason, exitCode: DENIED };
	},
};
