// Completes a RuntimeEvent from the parts that a script or a test states.
import type { EventBase, RuntimeEvent } from '@roost/core/runtime/event';
import { readReport } from '@roost/core/runtime/normal-form/read-report';
import { observedCapabilities } from '../base/capabilities.ts';
import { getInteractionHints } from '../base/interaction-rules.ts';
import { isJsonObject } from '../base/json-object.ts';

const SESSION = 'mock-session';
const CONTEXT = { cwd: '/mock/project', transcriptPath: '', permissionMode: 'default' };

export type EventParts = Partial<EventBase> & { hookName?: string; payload?: unknown };

export function fillDefaults(parts: EventParts, origin: { id: string; timestamp: number }): RuntimeEvent {
	const { hookName = 'Notification', payload, ...given } = parts;
	const base: EventBase = {
		...origin,
		sessionId: SESSION,
		context: CONTEXT,
		interaction: getInteractionHints(hookName),
		...given,
	};
	return { ...base, ...readReport(hookName, payloadOf(hookName, base, payload)) };
}

/** With the event's own fields in the payload, as an agent sends it. */
function payloadOf(hookName: string, event: EventBase, given: unknown): Record<string, unknown> {
	const known = {
		hook_event_name: hookName,
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

export const MOCK_CAPABILITIES = observedCapabilities('mock', { questionHook: 'PreToolUse' });
