// Permissions and questions: what an agent may not do, or cannot know, without asking.
import type { FeedCause, ToolInput } from '@roost/protocol/feed/base';
import { assessRisk } from '../controller/risk.ts';
import { parseQuestions, QUESTION_TOOL } from '../runtime/normal-form/questions.ts';
import { findCall } from './call-book.ts';
import { type DraftOf, type HookMappings, type MapContext, work } from './draft.ts';
import { SYSTEM } from './entities.ts';

export const permissionHooks: HookMappings<'PermissionRequest' | 'PermissionDenied'> = {
	// It names no call: the call is found by who wants what.
	PermissionRequest: work((context, payload) => {
		const { tool_name, tool_input, permission_suggestions } = payload;
		const toolUseId = payload.tool_use_id ?? context.event.toolUseId;
		const call = findCall(context.state.calls, { toolUseId, actorId: context.actor, tool: tool_name, input: tool_input });
		const cause = { tool_use_id: toolUseId ?? call?.toolUseId, parent_event_id: call?.eventId };
		return [requestDraft(context, { tool_name, tool_input, permission_suggestions: permission_suggestions ?? undefined }, cause)];
	}),

	PermissionDenied: work((context, payload) => {
		const { tool_name, tool_input, reason } = payload;
		const toolUseId = payload.tool_use_id ?? context.event.toolUseId;
		const call = findCall(context.state.calls, { toolUseId, actorId: context.actor, tool: tool_name, input: tool_input });
		const tool_use_id = toolUseId ?? call?.toolUseId;
		return [
			{
				kind: 'permission.denied',
				actor_id: SYSTEM,
				data: { tool_name, tool_input, tool_use_id, reason: reason ?? undefined },
				cause: { tool_use_id, parent_event_id: call?.eventId },
			},
		];
	}),
};

type Wanted = { tool_name: string; tool_input: ToolInput; permission_suggestions?: unknown[] };

/** A question whose questions cannot be read is shown as what it is then: a tool that wants to run. */
export function requestDraft(
	{ ask, actor, event }: MapContext,
	{ tool_name, tool_input, permission_suggestions }: Wanted,
	cause: FeedCause,
): DraftOf<'permission.request' | 'question.request'> {
	const own_dialog = event.interaction.ownDialog ? (true as const) : undefined;
	const asked = { tool_use_id: cause.tool_use_id, ask_id: ask?.id, reason: ask?.reason, expires_at: ask?.expiresAt, own_dialog };
	const questions = tool_name === QUESTION_TOOL ? parseQuestions(tool_input) : null;
	if (questions) return { kind: 'question.request', actor_id: actor, data: { questions, ...asked }, cause };
	return {
		kind: 'permission.request',
		actor_id: SYSTEM,
		data: {
			tool_name,
			tool_input,
			permission_suggestions,
			risk: ask?.risk ?? assessRisk(tool_name, tool_input),
			requested_by: actor,
			...asked,
		},
		cause,
	};
}
