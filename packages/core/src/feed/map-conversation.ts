// Prompts as they expand, and messages as they are shown.
import { findAnnounced } from './call-book.ts';
import { type Draft, type HookMappings, lifecycle } from './draft.ts';
import { USER } from './entities.ts';
import { finishedText, isReportedByStop } from './message-book.ts';

export const conversationHooks: HookMappings<'UserPromptExpansion' | 'MessageDisplay'> = {
	// Not work: it comes before the prompt that opens the run.
	UserPromptExpansion: lifecycle((_, payload) => [
		{
			kind: 'prompt.expansion',
			actor_id: USER,
			data: {
				expansion_type: payload.expansion_type ?? undefined,
				command_name: payload.command_name ?? undefined,
				command_args: payload.command_args ?? undefined,
				command_source: payload.command_source ?? undefined,
				prompt: payload.prompt ?? undefined,
			},
		},
	]),

	// Not work: it may arrive after the stop, and must not open a run that nothing would end.
	MessageDisplay: lifecycle(({ state, actor }, payload): Draft[] => {
		const data = {
			delta: payload.delta,
			final: payload.final,
			index: payload.index ?? undefined,
			message_id: payload.message_id ?? undefined,
			turn_id: payload.turn_id ?? undefined,
		};
		const shown: Draft = { kind: 'message.display', actor_id: actor, data };
		if (!data.final) return [shown];
		const text = finishedText(state.messages, actor, data);
		if (text.trim() === '' || isReportedByStop(state.messages, actor, text)) return [shown];
		return [
			shown,
			{
				kind: 'agent.message',
				actor_id: actor,
				data: {
					text,
					message_id: data.message_id,
					native_id: payload.native_id ?? undefined,
					// Claude shows a message on its screen first, and its call may be quicker; it also tells when all calls are over.
					announces: findAnnounced(state.calls, actor, data.turn_id !== undefined),
				},
			},
		];
	}),
};
