// How the user's own Pi reports over the extension of its launch, and how it is answered.
import { isHarmlessTool } from '@roost/core/controller/harmless-tools';
import { observedCapabilities } from '../base/capabilities.ts';
import { isJsonObject, type JsonObject, stringAt } from '../base/json-object.ts';
import { readRuntimeEvent } from '../base/to-event.ts';
import type { HookResultPayload } from '../hooks/envelope.ts';
import type { HookProtocol } from '../hooks/launch-runtime.ts';
import { fitVerdict, type HookVerdict, toHookVerdict } from '../live/verdict.ts';
import type { ReportAnswer } from './extension/shared.ts';
import { toNativeInput, toNormalCall } from './tools.ts';

const PI_OBSERVED_CAPABILITIES = observedCapabilities('pi');

/** The extension sends normal hook names with Pi's own tools, which are converted here. */
export const PI_HOOK_PROTOCOL: HookProtocol = {
	capabilities: PI_OBSERVED_CAPABILITIES,
	toEvents(envelope) {
		const { request_id: id, ts: timestamp, hook_event_name: hookName, session_id: sessionId } = envelope;
		const payload = isJsonObject(envelope.payload) ? envelope.payload : { value: envelope.payload };
		return [readRuntimeEvent({ id, timestamp, sessionId }, hookName, toNormalPayload(payload))];
	},
	fit: fitVerdict,
	// The extension asks by itself.
	permits: null,
	toResult(event, decision) {
		const verdict: HookVerdict = toHookVerdict(event, decision) ?? { type: 'none' };
		// Pi does not ask by itself: a harmless call that no rule denies is allowed.
		const isQuiet = event.hookName === 'PreToolUse' && isHarmlessTool(event.toolName ?? '');
		if (verdict.type === 'none') return isQuiet ? ALLOWED : { action: 'passthrough' };
		return { action: 'json_output', stdout_json: toAnswer(verdict, isJsonObject(event.payload) ? event.payload : {}) };
	},
};

function toNormalPayload(payload: JsonObject): JsonObject {
	const name = stringAt(payload, 'tool_name');
	const input = payload.tool_input;
	if (name === undefined || !isJsonObject(input)) return payload;
	return { ...payload, ...toNormalCall({ name, input }, placeOf(payload)), native_tool_name: name };
}

const ALLOWED: HookResultPayload = { action: 'json_output', stdout_json: { verdict: 'allow' } satisfies ReportAnswer };

function toAnswer(verdict: Exclude<HookVerdict, { type: 'none' }>, payload: JsonObject): ReportAnswer {
	if (verdict.type === 'ask') return { verdict: 'ask' };
	if (verdict.type === 'deny') return { verdict: 'deny', reason: verdict.message };
	if (!verdict.updatedInput) return { verdict: 'allow' };
	const input = toNativeInput(stringAt(payload, 'native_tool_name') ?? '', verdict.updatedInput, placeOf(payload));
	return input ? { verdict: 'allow', input } : { verdict: 'deny', reason: 'The call cannot be made as it was changed.' };
}

function placeOf(payload: JsonObject): { cwd: string } {
	return { cwd: stringAt(payload, 'cwd') ?? '/' };
}
