// Copilot's tools in the normal form, the payload of its hook before a call, and its guard protocol.

import { parseJson } from '@roost/core/display/parse-json';
import type { ToolInput } from '@roost/protocol/feed/base';
import { z } from 'zod';
import type { GuardWire } from '../base/types.ts';

type Rename = { tool: string; fields?: Readonly<Record<string, string>> };

const EDIT: Rename = { tool: 'Edit', fields: { path: 'file_path', old_str: 'old_string', new_str: 'new_string' } };

const TOOLS: ReadonlyMap<string, Rename> = new Map<string, Rename>([
	['bash', { tool: 'Bash' }],
	['powershell', { tool: 'PowerShell' }],
	['view', { tool: 'Read', fields: { path: 'file_path' } }],
	['create', { tool: 'Write', fields: { path: 'file_path', file_text: 'content' } }],
	['edit', EDIT],
	['str_replace_editor', EDIT],
	['apply_patch', { tool: 'Edit' }],
	['git_apply_patch', { tool: 'Edit' }],
	['grep', { tool: 'Grep', fields: { paths: 'path' } }],
	['glob', { tool: 'Glob', fields: { paths: 'path' } }],
	['web_fetch', { tool: 'WebFetch' }],
	['web_search', { tool: 'WebSearch' }],
	['task', { tool: 'Agent', fields: { agent_type: 'subagent_type' } }],
	['write_agent', { tool: 'SendMessage' }],
	['read_agent', { tool: 'TaskOutput' }],
	['list_agents', { tool: 'TaskList' }],
	...['bash', 'powershell'].flatMap((shell): [string, Rename][] => [
		[`write_${shell}`, { tool: 'BashInput', fields: { shellId: 'shell_id' } }],
		[`read_${shell}`, { tool: 'BashOutput', fields: { shellId: 'bash_id' } }],
		[`list_${shell}`, { tool: 'BashOutput' }],
		[`stop_${shell}`, { tool: 'KillShell', fields: { shellId: 'shell_id' } }],
	]),
	['ask_user', { tool: 'AskUserQuestion' }],
]);

/** Unknown tools keep their name. */
export function toNormalTool(name: string, input: Readonly<Record<string, unknown>>) {
	const { tool, fields = {} } = TOOLS.get(name) ?? { tool: name };
	const renames = new Map(Object.entries(fields));
	return { tool, input: Object.fromEntries(Object.entries(input).map(([field, value]) => [renames.get(field) ?? field, value])) };
}

export function toNativeInput(name: string, input: ToolInput): Record<string, unknown> {
	const renames = new Map(Object.entries(TOOLS.get(name)?.fields ?? {}).map(([native, normal]) => [normal, native]));
	return Object.fromEntries(Object.entries(input).map(([field, value]) => [renames.get(field) ?? field, value]));
}

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
		const message = { permissionDecision: 'deny', permissionDecisionReason: verdict.reason };
		return { stdout: JSON.stringify(message), stderr: verdict.reason, exitCode: DENIED };
	},
};
