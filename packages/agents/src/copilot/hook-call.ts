// The payload of Copilot's hook before a call, and its guard protocol.
import { parseJson } from '@roost/core/display/parse-json';
import { z } from 'zod';
import type { GuardWire } from '../base/types.ts';
import { toNormalTool } from './tool-calls.ts';

export type HookCall = { sessionId: string; cwd: string; toolName: string; input: Record<string, unknown> };

/** In some modes the arguments are JSON text; other text is the whole input. */
const input = z.preprocess(
	(value) => (typeof value === 'string' ? (parseJson(value) ?? { input: value }) : value),
	z.record(z.string(), z.unknown()).catch({}),
);

const hookCall = z
	.object({ sessionId: z.string().catch(''), cwd: z.string().catch(''), toolName: z.string(), toolArgs: input })
	.transform(({ sessionId, cwd, toolName, toolArgs }) => ({ sessionId, cwd, toolName, input: toolArgs }));

export function parseHookCall(text: string): HookCall | null {
	return toHookCall(parseJson(text));
}

export function toHookCall(payload: unknown): HookCall | null {
	return hookCall.safeParse(payload).data ?? null;
}

/** Copilot treats this exit code as a denial, with the printed reason. */
const DENIED = 2;

export const copilotGuardWire: GuardWire = {
	readCall(payload) {
		const call = toHookCall(payload);
		if (call === null || call.cwd === '') return null;
		return { ...toNormalTool(call.toolName, call.input), cwd: call.cwd };
	},
	say(verdict) {
		// No output, not an allow: Copilot's own permissions still apply.
		if (verdict.allowed) return { stdout: '', exitCode: 0 };
		const said = { permissionDecision: 'deny', permissionDecisionReason: verdict.reason };
		return { stdout: JSON.stringify(said), stderr: verdict.reason, exitCode: DENIED };
	},
};
