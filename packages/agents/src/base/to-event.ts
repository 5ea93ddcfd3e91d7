// A payload of the normal form → RuntimeEvent.
import type { EventBase, KnownEvent, RuntimeEvent } from '@roost/core/runtime/event';
import type { HookName, HookPayload } from '@roost/core/runtime/normal-form/hook-payloads';
import { readReport, toKnownEvent } from '@roost/core/runtime/normal-form/read-report';
import { getInteractionHints } from './interaction-rules.ts';
import { type JsonObject, stringAt } from './json-object.ts';

export type Origin = Pick<EventBase, 'id' | 'timestamp' | 'sessionId'>;

/** For payloads that an adapter creates. */
export function toRuntimeEvent<Name extends HookName>(origin: Origin, hookName: Name, payload: HookPayload<Name>): KnownEvent {
	return toKnownEvent(toBase(origin, hookName, { ...payload }), hookName, payload);
}

/** For payloads from the agent: validated against the normal form, kept as they came where they do not match. */
export function readRuntimeEvent(origin: Origin, hookName: string, payload: JsonObject): RuntimeEvent {
	return { ...toBase(origin, hookName, payload), ...readReport(hookName, payload) };
}

/** The agent shows its own dialog regardless of Roost's answer. */
export function withOwnDialog(event: RuntimeEvent): RuntimeEvent {
	return { ...event, interaction: { ...event.interaction, ownDialog: true } };
}

function toBase(origin: Origin, hookName: string, payload: JsonObject): EventBase {
	const base: EventBase = {
		...origin,
		context: { cwd: stringAt(payload, 'cwd') ?? '', transcriptPath: stringAt(payload, 'transcript_path') ?? '' },
		interaction: getInteractionHints(hookName),
	};
	addOptional(base, payload);
	return base;
}

function addOptional(event: EventBase, payload: JsonObject): void {
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
