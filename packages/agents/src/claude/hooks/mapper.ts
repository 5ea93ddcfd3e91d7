// A native hook payload → RuntimeEvent. Total: every payload becomes an event.
import type { RuntimeEvent } from '@roost/core/runtime/event';
import type { GateMode } from '@roost/core/runtime/gate-mode';
import { observedCapabilities } from '../../base/capabilities.ts';
import { isJsonObject, stringAt } from '../../base/json-object.ts';
import { readRuntimeEvent, withOwnDialog } from '../../base/to-event.ts';
import type { HookEventEnvelope } from '../../hooks/envelope.ts';
import type { HookProtocol } from '../../hooks/launch-runtime.ts';
import { fitDecision, mapDecisionToResult } from './decision-mapper.ts';

export const CLAUDE_HOOK_PROTOCOL: HookProtocol = {
	// The terminal shows its own dialog for a question, and either side may answer first.
	capabilities: observedCapabilities('claude', { questionHook: 'PermissionRequest' }),
	toEvents: (envelope, gate) => [toEvent(envelope, gate)],
	fit: fitDecision,
	toResult: mapDecisionToResult,
	permits: { subjectOf },
};

/** Claude shows its dialog while its hook waits; in enforce mode the denial closes it. */
function toEvent(envelope: HookEventEnvelope, gate: GateMode): RuntimeEvent {
	const event = mapEnvelopeToRuntimeEvent(envelope);
	return gate === 'observe' && event.hookName === 'PermissionRequest' ? withOwnDialog(event) : event;
}

/** A permission request has no call id: it is matched by agent, tool and input. */
function subjectOf({ agentId, toolName, payload }: RuntimeEvent): string {
	return JSON.stringify([agentId, toolName, isJsonObject(payload) ? payload.tool_input : null]);
}

export function mapEnvelopeToRuntimeEvent(envelope: HookEventEnvelope): RuntimeEvent {
	const payload = isJsonObject(envelope.payload) ? envelope.payload : { value: envelope.payload };
	const { request_id: id, ts: timestamp, hook_event_name: hookName, session_id: sessionId } = envelope;
	return readRuntimeEvent({ id, timestamp, sessionId }, hookName, { ...payload, ...authorOf(hookName, payload) });
}

type TaskNotification = {
	/** A summary, followed by the whole notification. */
	message: string;
	tool_use_id?: string;
};

const OPENS = '<task-notification>';
const CLOSES = '</task-notification>';

/** When a background task ends, Claude prompts itself. Only the text differs from a user's prompt; null for those. */
export function readTaskNotification(prompt: string): TaskNotification | null {
	const text = prompt.trim();
	if (!text.startsWith(OPENS) || !text.endsWith(CLOSES)) return null;
	const summary = fieldIn(text, 'summary');
	if (fieldIn(text, 'task-id') === undefined || summary === undefined) return null;
	return { message: `${summary}\n\n${text}`, tool_use_id: fieldIn(text, 'tool-use-id') };
}

function fieldIn(text: string, name: string): string | undefined {
	const start = text.indexOf(`<${name}>`);
	const end = text.indexOf(`</${name}>`, start);
	const value = start < 0 || end < 0 ? '' : text.slice(start + name.length + 2, end).trim();
	return value === '' ? undefined : value;
}

export function authorOf(hookName: string, payload: object): { task_notification?: TaskNotification } {
	const prompt = hookName === 'UserPromptSubmit' ? stringAt(payload, 'prompt') : undefined;
	const task_notification = prompt === undefined ? null : readTaskNotification(prompt);
	return task_notification ? { task_notification } : {};
}
