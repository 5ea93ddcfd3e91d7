// What Copilot gives to a hook before a call: which tool, with what.
import { parseJson } from '@roost/core/display/parse-json';
import { z } from 'zod';
import type { GuardWire } from '../base/types.ts';
import { toNormalTool } from './tool-calls.ts';

export type HookCall = { sessionId: string; cwd: string; toolName: string; input: Record<string, unknown> };

/** In some modes the arguments come as JSON in a text; a text that is no JSON is all that the tool is given, and not nothing. */
const input = z.preprocess(
	(value) => (typeof value === 'string' ? (parseJson(value) ?? { input: value }) : value),
	z.record(z.string(), z.unknown()).catch({}),
);

const hookCall = z
	.object({ sessionId: z.string().catch(''), cwd: z.string().catch(''), toolName: z.string(), toolArgs: input })
	.transform(({ sessionId, cwd, toolName, toolArgs }) => ({ sessionId, cwd, toolName, input: toolArgs }));

/** Null for what is no call. */
export function parseHookCall(text: string): HookCall | null {
	return toHookCall(parseJson(text));
}

export function toHookCall(payload: unknown): HookCall | null {
	return hookCall.safeParse(payload).data ?? null;
}

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
