// How Codex asks its guard (a PreToolUse hook) and hears the verdict.

import { isJsonObject, stringAt } from '../base/json-object.ts';
import type { GuardWire } from '../guards/guard-wire.ts';
import { toHookOutput } from './hook-words.ts';
import { toNormalCalls } from './tool-calls.ts';

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
