// Hooks of Claude Code: a payload → RuntimeEvent, and a decision → hook output. No opinion never becomes an allow.
import type { RuntimeDecision } from '@roost/core/runtime/decision';
import type { RuntimeEvent } from '@roost/core/runtime/event';
import type { GateMode } from '@roost/core/runtime/gate-mode';
import { observedCapabilities } from '../../base/capabilities.ts';
import { isJsonObject, type JsonObject, stringAt } from '../../base/json-object.ts';
import { readRuntimeEvent, withOwnDialog } from '../../base/to-event.ts';
import type { HookEventEnvelope, HookResultPayload } from '../../hooks/envelope.ts';
import { isGatingHook } from '../../hooks/hook-names.ts';
import type { HookProtocol } from '../../hooks/launch-runtime.ts';
import { type HookVerdict, toHookVerdict, undeliverable } from '../../live/verdict.ts';

export function mapDecisionToResult(event: RuntimeEvent, decision: RuntimeDecision): HookResultPayload {
	const output = toOutput(event, decision);
	return output === null ? { action: 'passthrough' } : { action: 'json_output', stdout_json: output };
}

/** An unsupported decision becomes no opinion, or a denial in enforce mode. */
export function fitDecision(event: RuntimeEvent, decision: RuntimeDecision, gate: GateMode): RuntimeDecision {
	if (decision.verdict.type === 'none' || toOutput(event, decision) !== null) return decision;
	return undeliverable(event, decision, isGatingHook(event.hookName) ? gate : 'observe');
}

/** Null for no opinion and for unsupported decisions. */
function toOutput(event: RuntimeEvent, decision: RuntimeDecision): JsonObject | null {
	const verdict = toHookVerdict(event, decision);
	if (verdict === null || verdict.type === 'none') return null;
	switch (event.hookName) {
		case 'PreToolUse':
			return preToolUse({ permissionDecision: verdict.type, ...preToolUseWords(verdict) });
		case 'PermissionRequest':
			return verdict.type === 'ask' ? null : permissionRequest({ behavior: verdict.type, ...permissionWords(verdict) });
		case 'Stop':
		case 'SubagentStop':
		case 'UserPromptSubmit':
			return verdict.type === 'deny' ? { decision: 'block', reason: verdict.message } : null;
		default:
			return null;
	}
}

type GivenVerdict = Exclude<HookVerdict, { type: 'none' }>;

function preToolUseWords(verdict: GivenVerdict): JsonObject {
	return verdict.type === 'allow'
		? only({ updatedInput: verdict.updatedInput })
		: only({ permissionDecisionReason: verdict.message });
}

function permissionWords(verdict: Exclude<GivenVerdict, { type: 'ask' }>): JsonObject {
	return verdict.type === 'allow'
		? only({ updatedInput: verdict.updatedInput, updatedPermissions: verdict.updatedPermissions })
		: // The agent reads `message`; a `reason` would be ignored.
			only({ message: verdict.message, interrupt: verdict.interrupt });
}

function preToolUse(output: JsonObject): JsonObject {
	return { hookSpecificOutput: { hookEventName: 'PreToolUse', ...output } };
}

function permissionRequest(decision: JsonObject): JsonObject {
	return { hookSpecificOutput: { hookEventName: 'PermissionRequest', decision } };
}

function only(fields: JsonObject): JsonObject {
	return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
}

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
