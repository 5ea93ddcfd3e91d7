// How the user's own Copilot reports over hooks, of its launch or installed, and how it is answered.
import { resolve } from 'node:path';
import type { RuntimeDecision } from '@roost/core/runtime/decision';
import type { RuntimeEvent } from '@roost/core/runtime/event';
import { observedCapabilities } from '../base/capabilities.ts';
import { isJsonObject, type JsonObject, stringAt } from '../base/json-object.ts';
import { readRuntimeEvent, withOwnDialog } from '../base/to-event.ts';
import type { HookResultPayload } from '../hooks/envelope.ts';
import type { HookProtocol } from '../hooks/launch-runtime.ts';
import { agentFolder, ownFileHooks, toHookCommand, type UserHooksPlace } from '../install/user-hooks.ts';
import { fitVerdict, toHookVerdict } from '../live/verdict.ts';
import { toHookCall, toNativeInput, toNormalTool } from './tool-calls.ts';

const COPILOT_OBSERVED_CAPABILITIES = observedCapabilities('copilot');

/** The events of a launch. Copilot's permission hook fires also for calls that need no permission; a notification shows a real dialog. */
export const COPILOT_HOOKS = [
	{ native: 'sessionStart', hookName: 'SessionStart' },
	{ native: 'userPromptSubmitted', hookName: 'UserPromptSubmit' },
	{ native: 'preToolUse', hookName: 'PreToolUse' },
	{ native: 'postToolUse', hookName: 'PostToolUse' },
	{ native: 'postToolUseFailure', hookName: 'PostToolUseFailure' },
	{ native: 'notification', hookName: 'Notification' },
	{ native: 'preCompact', hookName: 'PreCompact' },
	{ native: 'subagentStart', hookName: 'SubagentStart' },
	{ native: 'subagentStop', hookName: 'SubagentStop' },
	{ native: 'errorOccurred', hookName: 'StopFailure' },
	{ native: 'agentStop', hookName: 'Stop' },
	{ native: 'sessionEnd', hookName: 'SessionEnd' },
] as const;

export const COPILOT_HOOK_PROTOCOL: HookProtocol = {
	capabilities: COPILOT_OBSERVED_CAPABILITIES,
	toEvents({ request_id: id, ts: timestamp, hook_event_name: hookName, payload: given }, gate) {
		const payload = isJsonObject(given) ? given : { value: given };
		if (isOfSubagent(payload) && TURN_HOOKS.has(hookName)) return [];
		// A subagent has its own id, and names its session.
		const sessionId = stringAt(payload, 'parentAgentId') ?? stringAt(payload, 'sessionId') ?? '';
		const event = readRuntimeEvent({ id, timestamp, sessionId }, hookName, {
			...basics(payload),
			...toNormal(hookName, payload),
		});
		return [gate === 'observe' && isDialog(hookName, payload) ? withOwnDialog(event) : event];
	},
	fit: fitVerdict,
	toResult,
	permits: {
		subjectOf: ({ toolName, payload }) => JSON.stringify([toolName, isJsonObject(payload) ? payload.tool_input : null]),
	},
};

function isDialog(hookName: string, payload: JsonObject): boolean {
	return hookName === 'Notification' && payload.notification_type === 'permission_prompt';
}

/** A subagent's prompts and stops are not those of the session. */
const TURN_HOOKS: ReadonlySet<string> = new Set(['UserPromptSubmit', 'Stop']);

function isOfSubagent(payload: JsonObject): boolean {
	return stringAt(payload, 'parentAgentId') !== undefined;
}

function basics(payload: JsonObject): JsonObject {
	const { sessionId: session_id, cwd, transcriptPath: transcript_path, agentId: agent_id, agentType: agent_type } = payload;
	return { session_id, cwd, transcript_path, agent_id, agent_type };
}

function toNormal(hookName: string, payload: JsonObject): JsonObject {
	switch (hookName) {
		case 'SessionStart':
			return { source: payload.source === 'resume' ? 'resume' : 'startup' };
		case 'PreToolUse':
			return toCall(payload);
		case 'PostToolUse':
			return {
				...toCall(payload),
				tool_response: isJsonObject(payload.toolResult) ? payload.toolResult.textResultForLlm : undefined,
			};
		case 'PostToolUseFailure':
			return { ...toCall(payload), error: payload.error };
		case 'SubagentStop':
			return { stop_hook_active: false, last_assistant_message: payload.response };
		case 'StopFailure':
			return { error: 'api_error', last_assistant_message: toMessage(payload.error) };
		case 'Stop':
			return { stop_hook_active: payload.stop_hook_active ?? false, interrupted: payload.stopReason === 'cancelled' };
		default:
			return payload;
	}
}

function toCall(payload: JsonObject): JsonObject {
	const call = toHookCall(payload);
	if (!call) return {};
	const { tool, input } = toNormalTool(call.toolName, call.input);
	const path = input.file_path;
	const tool_input = typeof path === 'string' ? { ...input, file_path: resolve(call.cwd || '/', path) } : input;
	return { tool_name: tool, tool_input, native_tool_name: call.toolName };
}

function toMessage(error: unknown): string | undefined {
	return isJsonObject(error) ? stringAt(error, 'message') : undefined;
}

/** An allow is final. No output leaves the decision to Copilot. */
function toResult(event: RuntimeEvent, decision: RuntimeDecision): HookResultPayload {
	const verdict = toHookVerdict(event, decision);
	if (event.hookName !== 'PreToolUse') return { action: 'passthrough' };
	if (verdict?.type === 'deny') return toOutput({ permissionDecision: 'deny', permissionDecisionReason: verdict.message });
	if (verdict?.type !== 'allow') return { action: 'passthrough' };
	const name = isJsonObject(event.payload) ? stringAt(event.payload, 'native_tool_name') : undefined;
	const changed = verdict.updatedInput === undefined ? {} : { modifiedArgs: toNativeInput(name ?? '', verdict.updatedInput) };
	return toOutput({ permissionDecision: 'allow', ...changed });
}

function toOutput(stdout_json: JsonObject): HookResultPayload {
	return { action: 'json_output', stdout_json };
}

/** Copilot denies a call whose hook fails, even if Roost was removed. */
const NEVER_FAILS = ' || exit 0';
const TIMEOUT_S = 10;

export const COPILOT_USER_HOOKS = ownFileHooks({
	agent: 'copilot',
	folder: (env) => agentFolder(env, 'COPILOT_HOME', '.copilot'),
	path: ['hooks', 'roost.json'],
	toText,
	adds: `Adds ${COPILOT_HOOKS.length} hooks`,
});

function toText(place: UserHooksPlace): string {
	const hooks = COPILOT_HOOKS.map(({ native, hookName }) => [
		native,
		[{ type: 'command', bash: `${toHookCommand(place, 'copilot', hookName)}${NEVER_FAILS}`, timeoutSec: TIMEOUT_S }],
	]);
	return `${JSON.stringify({ version: 1, hooks: Object.fromEntries(hooks) }, null, 2)}\n`;
}
