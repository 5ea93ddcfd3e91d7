// A payload of the normal form → RuntimeEvent: what the event says of itself is read from its payload.
import type { RuntimeEvent } from '@roost/core/runtime/event';
import { getInteractionHints } from './interaction-rules.ts';
import { type JsonObject, stringAt } from './json-object.ts';

export type Origin = Pick<RuntimeEvent, 'id' | 'timestamp' | 'hookName' | 'sessionId'>;

export function toRuntimeEvent(origin: Origin, payload: JsonObject): RuntimeEvent {
	const event: RuntimeEvent = {
		...origin,
		context: { cwd: stringAt(payload, 'cwd') ?? '', transcriptPath: stringAt(payload, 'transcript_path') ?? '' },
		interaction: getInteractionHints(origin.hookName),
		payload,
	};
	addOptional(event, payload);
	return event;
}

/** The agent shows its own dialog, whatever Roost answers. */
export function withOwnDialog(event: RuntimeEvent): RuntimeEvent {
	return { ...event, interaction: { ...event.interaction, ownDialog: true } };
}

/** What the payload does not have stays absent. */
function addOptional(event: RuntimeEvent, payload: JsonObject): void {
	const toolName = stringAt(payload, 'tool_name');
	const toolUseId = stringAt(payload, 'tool_use_id');
	const agentId = stringAt(payload, 'agent_id');
	const agentType = stringAt(payload, 'agent_type');
	const permissionMode = stringAt(payload, 'permission_mode');
	const { longest_ms: longestMs } = payload;
	if (typeof longestMs === 'number' && longestMs > 0) event.interaction.longestMs = longestMs;
	if (toolName !== undefined) event.toolName = toolName;
	if (toolUseId !== undefined) event.toolUseId = toolUseId;
	if (agentId !== undefined) event.agentId = agentId;
	if (agentType !== undefined) event.agentType = agentType;
	if (permissionMode !== undefined) event.context.permissionMode = permissionMode;
}
