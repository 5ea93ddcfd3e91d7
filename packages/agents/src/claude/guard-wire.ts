// Guard protocol of Claude: a PreToolUse hook.
import { isJsonObject, stringAt } from '../base/json-object.ts';
import type { GuardWire } from '../base/types.ts';

const EVENT = 'PreToolUse';
/** Claude treats this exit code as a denial. */
const DENIED = 2;

export const claudeGuardWire: GuardWire = {
	readCall(payload) {
		if (!isJsonObject(payload) || payload.hook_event_name !== EVENT) return null;
		const tool = stringAt(payload, 'tool_name');
		const cwd = stringAt(payload, 'cwd');
		const input = payload.tool_input;
		return tool && cwd && isJsonObject(input) ? { tool, cwd, input } : null;
	},
	say(verdict) {
		// No output, not an allow: the agent's own permissions still apply.
		if (verdict.allowed) return { stdout: '', exitCode: 0 };
		const hookSpecificOutput = {
			hookEventName: EVENT,
			permissionDecision: 'deny',
			permissionDecisionReason: verdict.reason,
		};
		return { stdout: JSON.stringify({ hookSpecificOutput }), stderr: verdict.reason, exitCode: DENIED };
	},
};
