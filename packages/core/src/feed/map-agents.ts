// Messages of agents, and where agents start and stop: the root agent ends its run, a subagent only itself.
import { findAnnounced, findSpawningCall } from './call-book.ts';
import { type Draft, type HookMappings, lifecycle, type MapContext, pick, system, work } from './draft.ts';
import { ROOT_AGENT, toSubagentActor } from './entities.ts';
import { endRun } from './map-session.ts';
import { finishedText, isReportedByStop, isShown } from './message-book.ts';

export const agentHooks: HookMappings<'MessageDisplay' | 'Stop' | 'StopFailure' | 'SubagentStart' | 'SubagentStop'> = {
	// Not work: it may arrive after the stop, and must not open a run that nothing would end.
	MessageDisplay: lifecycle(({ state, actor }, payload): Draft[] => {
		const data = pick(payload, 'delta', 'final', 'index', 'message_id', 'turn_id');
		const shown: Draft = { kind: 'message.display', actor_id: actor, data };
		if (!data.final) return [shown];
		const text = finishedText(state.messages, actor, data);
		if (text.trim() === '' || isReportedByStop(state.messages, actor, text)) return [shown];
		// Claude shows a message on its screen first, and its call may be quicker; it also reports when all calls are over.
		const announces = findAnnounced(state.calls, actor, data.turn_id !== undefined);
		return [
			shown,
			{ kind: 'agent.message', actor_id: actor, data: { text, ...pick(payload, 'message_id', 'native_id'), announces } },
		];
	}),

	// While background tasks run, the run stays open: their events belong to it, and a later stop or prompt ends it.
	Stop: lifecycle((context, payload): Draft[] => {
		const isRoot = context.actor === ROOT_AGENT;
		const background = payload.background_tasks?.length ?? 0;
		return [
			...lastMessage(context, payload.last_assistant_message),
			system('stop.request', {
				stop_hook_active: payload.stop_hook_active,
				scope: isRoot ? 'root' : 'subagent',
				agent_id: payload.agent_id ?? context.event.agentId,
				...pick(payload, 'agent_type', 'last_assistant_message'),
				background_tasks: background,
			}),
			...(isRoot && payload.interrupted ? endRun(context.state, 'aborted', 'it was interrupted') : []),
			...(isRoot && !payload.interrupted && background === 0 ? endRun(context.state, 'completed') : []),
		];
	}),

	StopFailure: lifecycle((context, payload): Draft[] => {
		const { error, last_assistant_message, agent_id } = payload;
		const data = { ...pick(payload, 'error', 'last_assistant_message'), agent_id: agent_id ?? context.event.agentId };
		return [
			{ kind: 'stop.failure', actor_id: context.actor, data },
			...(context.actor === ROOT_AGENT ? endRun(context.state, 'failed', last_assistant_message ?? error) : []),
		];
	}),

	SubagentStart: work(({ state }, payload) => {
		const call = state.actors.has(toSubagentActor(payload.agent_id)) ? undefined : findSpawningCall(state.calls);
		const data = pick(payload, 'agent_id', 'agent_type');
		return [{ kind: 'subagent.start', actor_id: call?.actorId ?? ROOT_AGENT, data, cause: { parent_event_id: call?.eventId } }];
	}),

	// Not work: agents report stops of helpers that never started, also between runs.
	SubagentStop: lifecycle((context, payload): Draft[] => {
		const actor = toSubagentActor(payload.agent_id);
		const data = pick(payload, 'agent_id', 'agent_type', 'stop_hook_active', 'agent_transcript_path', 'last_assistant_message');
		return [
			...lastMessage({ ...context, actor }, payload.last_assistant_message),
			{ kind: 'subagent.stop', actor_id: actor, data },
		];
	}),
};

/** The agent's last message, unless it was shown already. */
function lastMessage({ state, actor }: MapContext, text: string | null | undefined): Draft[] {
	if (!text || text.trim() === '' || isShown(state.messages, actor, text)) return [];
	return [{ kind: 'agent.message', actor_id: actor, data: { text } }];
}
