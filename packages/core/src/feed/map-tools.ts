// Tool calls: announced, done, failed, closed by their batch, and the permissions and questions they need.
import type { FeedCause, ToolInput } from '@roost/protocol/feed/base';
import { assessRisk } from '../controller/risk.ts';
import type { HookPayload } from '../runtime/normal-form/hook-payloads.ts';
import { parseQuestions, QUESTION_TOOL } from '../runtime/normal-form/questions.ts';
import { findCall } from './call-book.ts';
import { type Draft, type DraftOf, type HookMappings, type MapContext, pick, system, work } from './draft.ts';
import { nextEventId } from './seal.ts';
import { deriveTodos } from './todos.ts';

type ToolHook = 'PreToolUse' | 'PostToolUse' | 'PostToolUseFailure' | 'PostToolBatch' | 'PermissionRequest' | 'PermissionDenied';

export const toolHooks: HookMappings<ToolHook> = {
	PreToolUse: work((context, payload) => {
		const data = toCall(payload, context.event.toolUseId);
		const announced: Draft = { kind: 'tool.pre', actor_id: context.actor, data, cause: { tool_use_id: data.tool_use_id } };
		if (!context.ask) return [announced];
		const cause = { tool_use_id: data.tool_use_id, parent_event_id: nextEventId(context.state) };
		return [announced, requestDraft(context, data, cause)];
	}),

	PostToolUse: work((context, payload) => {
		const call = toCall(payload, context.event.toolUseId);
		const cause = causeOf(context, call);
		const { tool_response: response = null } = payload;
		const data = { ...call, tool_response: response, ...pick(payload, 'duration_ms') };
		const done = { actorId: context.actor, tool: call.tool_name, input: call.tool_input, response, cause };
		return [{ kind: 'tool.post', actor_id: context.actor, data, cause }, ...deriveTodos(context.state.todos, done)];
	}),

	PostToolUseFailure: work((context, payload) => {
		const call = toCall(payload, context.event.toolUseId);
		const data = { ...call, ...pick(payload, 'error', 'is_interrupt', 'duration_ms') };
		return [{ kind: 'tool.failure', actor_id: context.actor, data, cause: causeOf(context, call) }];
	}),

	PostToolBatch: work((context, { tool_calls }) => {
		const calls = tool_calls.map((call) => ({ ...toCall(call), tool_response: call.tool_response }));
		return [
			...tool_calls.flatMap((call) => closeBatched(context, call)),
			{ kind: 'tool.batch', actor_id: context.actor, data: { tool_calls: calls } },
		];
	}),

	PermissionRequest: work((context, payload) => {
		const { tool_name, tool_input, permission_suggestions } = payload;
		const cause = causeOfRequest(context, payload);
		return [requestDraft(context, { tool_name, tool_input, permission_suggestions: permission_suggestions ?? undefined }, cause)];
	}),

	PermissionDenied: work((context, payload) => {
		const cause = causeOfRequest(context, payload);
		const { tool_use_id } = cause;
		const data = { ...pick(payload, 'tool_name', 'tool_input'), tool_use_id, ...pick(payload, 'reason') };
		return [system('permission.denied', data, cause)];
	}),
};

/** Many requests name no call: then it is found by actor, tool and input. */
function causeOfRequest({ state, actor, event }: MapContext, payload: HookPayload<'PermissionRequest' | 'PermissionDenied'>) {
	const { tool_name: tool, tool_input: input } = payload;
	const toolUseId = payload.tool_use_id ?? event.toolUseId;
	const call = findCall(state.calls, { toolUseId, actorId: actor, tool, input });
	return { tool_use_id: toolUseId ?? call?.toolUseId, parent_event_id: call?.eventId };
}

type Wanted = { tool_name: string; tool_input: ToolInput; permission_suggestions?: unknown[] | undefined };

/** A question that cannot be read is shown as a permission request of its tool. */
function requestDraft(
	{ ask, actor, event }: MapContext,
	{ tool_name, tool_input, permission_suggestions }: Wanted,
	cause: FeedCause,
): DraftOf<'permission.request' | 'question.request'> {
	const own_dialog = event.interaction.ownDialog ? (true as const) : undefined;
	const asked = { tool_use_id: cause.tool_use_id, ask_id: ask?.id, reason: ask?.reason, expires_at: ask?.expiresAt, own_dialog };
	const questions = tool_name === QUESTION_TOOL ? parseQuestions(tool_input) : null;
	if (questions) return { kind: 'question.request', actor_id: actor, data: { questions, ...asked }, cause };
	const risk = ask?.risk ?? assessRisk(tool_name, tool_input);
	const data = { tool_name, tool_input, permission_suggestions, risk, requested_by: actor, ...asked };
	return system('permission.request', data, cause);
}

type BatchedCall = HookPayload<'PostToolBatch'>['tool_calls'][number];

/**
 * Closes a call that only the batch reports. One that was announced and never ended was denied: it failed with the text the
 * model got. One never announced is a tool that does not exist; or, if Roost was down while it ran, a call like any other.
 */
function closeBatched(context: MapContext, batched: BatchedCall): Draft[] {
	const call = toCall(batched);
	if (call.tool_use_id === undefined || context.state.calls.closed.has(call.tool_use_id)) return [];
	const cause = causeOf(context, call);
	const error = toText(batched.tool_response);
	if (cause.parent_event_id !== undefined || error.startsWith('<tool_use_error>'))
		return [{ kind: 'tool.failure', actor_id: context.actor, data: { ...call, error }, cause }];
	const data = { ...call, tool_response: batched.tool_response ?? null };
	return [{ kind: 'tool.post', actor_id: context.actor, data, cause }];
}

function toCall(payload: HookPayload<'PreToolUse'> | BatchedCall, toolUseId?: string) {
	return {
		tool_name: payload.tool_name,
		tool_input: payload.tool_input,
		tool_use_id: payload.tool_use_id ?? toolUseId,
		native_tool_name: payload.native_tool_name ?? undefined,
	};
}

function causeOf({ state, actor }: MapContext, call: ReturnType<typeof toCall>): FeedCause {
	const { tool_name: tool, tool_input: input, tool_use_id: toolUseId } = call;
	return { tool_use_id: toolUseId, parent_event_id: findCall(state.calls, { toolUseId, actorId: actor, tool, input })?.eventId };
}

/** A response as the model reads it. */
function toText(response: unknown): string {
	if (typeof response === 'string') return response;
	if (!Array.isArray(response)) return JSON.stringify(response) ?? '';
	return response.map((part) => (isTextPart(part) ? part.text : (JSON.stringify(part) ?? ''))).join('\n');
}

function isTextPart(part: unknown): part is { text: string } {
	return typeof part === 'object' && part !== null && 'text' in part && typeof part.text === 'string';
}
