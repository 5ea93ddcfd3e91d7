// Tool calls: announced, done, failed, and closed by their batch.
import type { FeedCause, ToolInput } from '@roost/protocol/feed/base';
import type { BatchedCall } from '../runtime/normal-form/tools.ts';
import { findCall } from './call-book.ts';
import { type Draft, type HookMappings, type MapContext, work } from './draft.ts';
import { requestDraft } from './map-permissions.ts';
import { nextEventId } from './seal.ts';
import { deriveTodos } from './todos.ts';

type ToolPayload = {
	tool_name: string;
	tool_input: ToolInput;
	tool_use_id?: string | null;
	native_tool_name?: string | null;
};

export const toolHooks: HookMappings<'PreToolUse' | 'PostToolUse' | 'PostToolUseFailure' | 'PostToolBatch'> = {
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
		const { tool_response: response = null, duration_ms } = payload;
		const data = { ...call, tool_response: response, duration_ms: duration_ms ?? undefined };
		return [
			{ kind: 'tool.post', actor_id: context.actor, data, cause },
			...deriveTodos(context.state.todos, {
				actorId: context.actor,
				tool: call.tool_name,
				input: call.tool_input,
				response,
				cause,
			}),
		];
	}),

	PostToolUseFailure: work((context, payload) => {
		const call = toCall(payload, context.event.toolUseId);
		const { error, is_interrupt, duration_ms } = payload;
		const data = { ...call, error, is_interrupt: is_interrupt ?? undefined, duration_ms: duration_ms ?? undefined };
		return [{ kind: 'tool.failure', actor_id: context.actor, data, cause: causeOf(context, call) }];
	}),

	PostToolBatch: work((context, { tool_calls }) => {
		const calls = tool_calls.map((call) => ({ ...toCall(call), tool_response: call.tool_response }));
		return [
			...tool_calls.flatMap((call) => closeBatched(context, call)),
			{ kind: 'tool.batch', actor_id: context.actor, data: { tool_calls: calls } },
		];
	}),
};

/**
 * What the batch alone tells of a call. One that was announced and never ended was refused: it failed with what the model
 * was told. One never announced is a tool that does not exist; or, if we were away while it ran, a call like any other.
 */
function closeBatched(context: MapContext, batched: BatchedCall): Draft[] {
	const call = toCall(batched);
	if (call.tool_use_id === undefined || context.state.calls.closed.has(call.tool_use_id)) return [];
	const cause = causeOf(context, call);
	const said = toText(batched.tool_response);
	if (cause.parent_event_id === undefined && !said.startsWith('<tool_use_error>')) {
		return [
			{ kind: 'tool.post', actor_id: context.actor, data: { ...call, tool_response: batched.tool_response ?? null }, cause },
		];
	}
	return [{ kind: 'tool.failure', actor_id: context.actor, data: { ...call, error: said }, cause }];
}

function toCall(payload: ToolPayload, toolUseId?: string) {
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
