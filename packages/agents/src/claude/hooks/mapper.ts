// A native hook payload → RuntimeEvent. Total: whatever arrives becomes an event.
import type { RuntimeEvent } from '@roost/core/runtime/event';
import type { HookEventEnvelope } from './envelope.ts';
import { getInteractionHints } from './interaction-rules.ts';
import { isJsonObject, type JsonObject, stringAt } from './json-object.ts';

export function mapEnvelopeToRuntimeEvent(envelope: HookEventEnvelope): RuntimeEvent {
	const payload = isJsonObject(envelope.payload) ? envelope.payload : { value: envelope.payload };
	return {
		id: envelope.request_id,
		timestamp: envelope.ts,
		hookName: envelope.hook_event_name,
		sessionId: envelope.session_id,
		...present('toolName', payload, 'tool_name'),
		...present('toolUseId', payload, 'tool_use_id'),
		...present('agentId', payload, 'agent_id'),
		...present('agentType', payload, 'agent_type'),
		context: {
			cwd: stringAt(payload, 'cwd') ?? '',
			transcriptPath: stringAt(payload, 'transcript_path') ?? '',
			...present('permissionMode', payload, 'permission_mode'),
		},
		interaction: getInteractionHints(envelope.hook_event_name),
		payload,
	};
}

/** `{[name]: value}` where the payload has that string, else nothing: an absent field stays absent. */
function present<N extends string>(name: N, payload: JsonObject, key: string): { [K in N]?: string } {
	const value = stringAt(payload, key);
	const found: { [K in N]?: string } = {};
	return value === undefined ? found : Object.assign(found, { [name]: value });
}
