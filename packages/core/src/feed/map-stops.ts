// Agents that stop: the root agent ends its run, a subagent only itself.
import { type Draft, type HookMappings, lifecycle, type MapContext } from './draft.ts';
import { ROOT_AGENT, SYSTEM } from './entities.ts';
import { endRun } from './map-session.ts';
import { isSaid } from './message-book.ts';

export const stopHooks: HookMappings<'Stop' | 'StopFailure'> = {
	// While tasks run in the background the run goes on: their events belong to it, and a later stop or prompt ends it.
	Stop: lifecycle((context, payload): Draft[] => {
		const isRoot = context.actor === ROOT_AGENT;
		const background = payload.background_tasks?.length ?? 0;
		const data = {
			stop_hook_active: payload.stop_hook_active,
			scope: isRoot ? ('root' as const) : ('subagent' as const),
			agent_id: payload.agent_id ?? context.event.agentId,
			agent_type: payload.agent_type ?? undefined,
			last_assistant_message: payload.last_assistant_message ?? undefined,
			background_tasks: background,
		};
		return [
			...lastMessage(context, payload.last_assistant_message),
			{ kind: 'stop.request', actor_id: SYSTEM, data },
			...(isRoot && payload.interrupted ? endRun(context.state, 'aborted', 'it was interrupted') : []),
			...(isRoot && !payload.interrupted && background === 0 ? endRun(context.state, 'completed') : []),
		];
	}),

	StopFailure: lifecycle((context, payload): Draft[] => {
		const { error, last_assistant_message, agent_id } = payload;
		const data = {
			error,
			last_assistant_message: last_assistant_message ?? undefined,
			agent_id: agent_id ?? context.event.agentId,
		};
		return [
			{ kind: 'stop.failure', actor_id: context.actor, data },
			...(context.actor === ROOT_AGENT ? endRun(context.state, 'failed', last_assistant_message ?? error) : []),
		];
	}),
};

/** What the agent said last, unless it was shown already. */
export function lastMessage({ state, actor }: MapContext, text: string | null | undefined): Draft[] {
	if (!text || text.trim() === '' || isSaid(state.messages, actor, text)) return [];
	return [{ kind: 'agent.message', actor_id: actor, data: { text } }];
}
