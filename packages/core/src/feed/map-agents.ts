// Subagents, teammates and tasks.

import type { HookPayload } from '../runtime/normal-form/hook-payloads.ts';
import { findSpawningCall } from './call-book.ts';
import { type Draft, type HookMappings, lifecycle, work } from './draft.ts';
import { ROOT_AGENT, SYSTEM, toSubagentActor } from './entities.ts';
import { lastMessage } from './map-stops.ts';

export const agentHooks: HookMappings<'SubagentStart' | 'SubagentStop' | 'TeammateIdle' | 'TaskCreated' | 'TaskCompleted'> = {
	SubagentStart: work(({ state }, { agent_id, agent_type }): Draft[] => {
		const call = state.actors.has(toSubagentActor(agent_id)) ? undefined : findSpawningCall(state.calls);
		return [
			{
				kind: 'subagent.start',
				actor_id: call?.actorId ?? ROOT_AGENT,
				data: { agent_id, agent_type },
				cause: { parent_event_id: call?.eventId },
			},
		];
	}),

	// Not work: agents report stops of helpers that never started, also between runs.
	SubagentStop: lifecycle((context, payload): Draft[] => {
		const actor = toSubagentActor(payload.agent_id);
		const data = {
			agent_id: payload.agent_id,
			agent_type: payload.agent_type,
			stop_hook_active: payload.stop_hook_active,
			agent_transcript_path: payload.agent_transcript_path ?? undefined,
			last_assistant_message: payload.last_assistant_message ?? undefined,
		};
		return [
			...lastMessage({ ...context, actor }, payload.last_assistant_message),
			{ kind: 'subagent.stop', actor_id: actor, data },
		];
	}),

	TeammateIdle: lifecycle((_, { teammate_name, team_name }) => [
		{
			kind: 'teammate.idle',
			actor_id: SYSTEM,
			data: { teammate_name: teammate_name ?? undefined, team_name: team_name ?? undefined },
		},
	]),

	TaskCreated: lifecycle(({ actor }, payload) => [{ kind: 'task.created', actor_id: actor, data: toTask(payload) }]),

	TaskCompleted: lifecycle(({ actor }, payload) => [{ kind: 'task.completed', actor_id: actor, data: toTask(payload) }]),
};

function toTask(payload: HookPayload<'TaskCreated'>) {
	return {
		task_id: payload.task_id,
		task_subject: payload.task_subject ?? undefined,
		task_description: payload.task_description ?? undefined,
		teammate_name: payload.teammate_name ?? undefined,
		team_name: payload.team_name ?? undefined,
	};
}
