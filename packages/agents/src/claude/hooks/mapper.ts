// A native hook payload → RuntimeEvent. Total: whatever arrives becomes an event.
import type { RuntimeEvent } from '@roost/core/runtime/event';
import type { HookEventEnvelope } from './envelope.ts';
import { getInteractionHints } from './interaction-rules.ts';
import { isJsonObject, type JsonObject, stringAt } from './json-object.ts';
import { readTaskNotification } from './task-notification.ts';

export function mapEnvelopeToRuntimeEvent(envelope: HookEventEnvelope): RuntimeEvent {
	const payload = isJsonObject(envelope.payload) ? envelope.payload : { value: envelope.payload };
	const event: RuntimeEvent = {
		id: envelope.request_id,
		timestamp: envelope.ts,
		hookName: envelope.hook_event_name,
		sessionId: envelope.session_id,
		context: { cwd: stringAt(payload, 'cwd') ?? '', transcriptPath: stringAt(payload, 'transcript_path') ?? '' },
		interaction: getInteractionHints(envelope.hook_event_name),
		payload: envelope.hook_event_name === 'UserPromptSubmit' ? withAuthor(payload) : payload,
	};
	addOptional(event, payload);
	return event;
}

/** Not every prompt was written by somebody. */
function withAuthor(payload: JsonObject): JsonObject {
	const task_notification = readTaskNotification(stringAt(payload, 'prompt') ?? '');
	return task_notification ? { ...payload, task_notification } : payload;
}

/** What the payload does not have stays absent. */
function addOptional(event: RuntimeEvent, payload: JsonObject): void {
	const toolName = stringAt(payload, 'tool_name');
	const toolUseId = stringAt(payload, 'tool_use_id');
	const agentId = stringAt(payload, 'agent_id');
	const agentType = stringAt(payload, 'agent_type');
	const permissionMode = stringAt(payload, 'permission_mode');
	if (toolName !== undefined) event.toolName = toolName;
	if (toolUseId !== undefined) event.toolUseId = toolUseId;
	if (agentId !== undefined) event.agentId = agentId;
	if (agentType !== undefined) event.agentType = agentType;
	if (permissionMode !== undefined) event.context.permissionMode = permissionMode;
}
