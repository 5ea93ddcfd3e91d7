// Subagents, teammates and tasks.

import type { z } from 'zod';
import type { task } from '../runtime/normal-form/agents.ts';
import { hookPayloads } from '../runtime/normal-form/hook-payloads.ts';
import { findSpawningCall } from './call-book.ts';
import { type Draft, lifecycle, work } from './draft.ts';
import { ROOT_AGENT, SYSTEM, toSubagentActor } from './entities.ts';
import { lastMessage } from './map-stops.ts';

export const agentHooks = {
	SubagentStart: work(hookPayloads.SubagentStart, ({ state }, { agent_id, agent_type }): Draft[] => {
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
	SubagentStop: lifecycle(hookPayloads.SubagentStop, (context, payload): Draft[] => {
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

	TeammateIdle: lifecycle(hookPayloads.TeammateIdle, (_, { teammate_name, team_name }) => [
		{
			kind: 'teammate.idle',
			actor_id: SYSTEM,
			data: { teammate_name: teammate_name ?? undefined, team_name: team_name ?? undefined },
		},
	]),

	TaskCreated: lifecycle(hookPayloads.TaskCreated, ({ actor }, payload) => [
		{ kind: 'task.created', actor_id: actor, data: toTask(payload) },
	]),

	TaskCompleted: lifecycle(hookPayloads.TaskCompleted, ({ actor }, payload) => [
		{ kind: 'task.completed', actor_id: actor, data: toTask(payload) },
	]),
};

function toTask(payload: z.infer<typeof task>) {
	return {
		task_id: payload.task_id,
		task_subject: payload.task_subject ?? undefined,
		task_description: payload.task_description ?? undefined,
		teammate_name: payload.teammate_name ?? undefined,
		team_name: payload.team_name ?? undefined,
	};
}
