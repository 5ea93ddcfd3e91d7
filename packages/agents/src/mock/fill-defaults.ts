// Makes a whole RuntimeEvent of the parts a script or a test cares about.
import type { RuntimeEvent } from '@roost/core/runtime/event';
import { getInteractionHints } from '../interaction-rules.ts';
import { isJsonObject } from '../json-object.ts';

const SESSION = 'mock-session';
const CONTEXT = { cwd: '/mock/project', transcriptPath: '', permissionMode: 'default' };

export function fillDefaults(event: Partial<RuntimeEvent>, origin: { id: string; timestamp: number }): RuntimeEvent {
	const hookName = event.hookName ?? 'Notification';
	const filled = {
		...origin,
		hookName,
		sessionId: SESSION,
		context: CONTEXT,
		interaction: getInteractionHints(hookName),
		...event,
	};
	return { ...filled, payload: payloadOf(filled, event.payload) };
}

/** As an agent would send it: what the event says of itself is in its payload too. */
function payloadOf(event: Omit<RuntimeEvent, 'payload'>, given: unknown): Record<string, unknown> {
	const known = {
		hook_event_name: event.hookName,
		session_id: event.sessionId,
		cwd: event.context.cwd,
		transcript_path: event.context.transcriptPath,
		permission_mode: event.context.permissionMode,
		tool_name: event.toolName,
		tool_use_id: event.toolUseId,
		agent_id: event.agentId,
		agent_type: event.agentType,
	};
	const stated = Object.fromEntries(Object.entries(known).filter(([, value]) => value !== undefined));
	if (given === undefined) return stated;
	return isJsonObject(given) ? { ...stated, ...given } : { ...stated, value: given };
}
