// How Copilot asks its guard (a hook before each call) and hears the verdict.
import type { GuardWire } from '../guards/guard-wire.ts';
import { toHookCall } from './hook-call.ts';
import { toNormalTool } from './tool-calls.ts';

/** Copilot takes it as a denial whatever was printed, and its words from what was. */
const DENIED = 2;

export const copilotGuardWire: GuardWire = {
	readCall(payload) {
		const call = toHookCall(payload);
		if (call === null || call.cwd === '') return null;
		return { ...toNormalTool(call.toolName, call.input), cwd: call.cwd };
	},
	say(verdict) {
		// Silence, not an allow: Copilot's own permissions still hold.
		if (verdict.allowed) return { stdout: '', exitCode: 0 };
		const said = { permissionDecision: 'deny', permissionDecisionReason: verdict.reason };
		return { stdout: JSON.stringify(said), stderr: verdict.reason, exitCode: DENIED };
	},
};
