// Subagents, teammates, tasks and todos: who works on what.
import { z } from 'zod';
import { feedKind } from './base.ts';

export const subagentStart = feedKind('subagent.start', z.object({ agent_id: z.string(), agent_type: z.string() }));

export const subagentStop = feedKind(
	'subagent.stop',
	z.object({
		agent_id: z.string(),
		agent_type: z.string(),
		stop_hook_active: z.boolean(),
		agent_transcript_path: z.string().optional(),
		last_assistant_message: z.string().optional(),
	}),
);

export const teammateIdle = feedKind(
	'teammate.idle',
	z.object({ teammate_name: z.string().optional(), team_name: z.string().optional() }),
);

const task = z.object({
	task_id: z.string(),
	task_subject: z.string().optional(),
	task_description: z.string().optional(),
	teammate_name: z.string().optional(),
	team_name: z.string().optional(),
});

export const taskCreated = feedKind('task.created', task);
export const taskCompleted = feedKind('task.completed', task);

export const todoPriority = z.enum(['p0', 'p1', 'p2']);
export const todoStatus = z.enum(['open', 'doing', 'blocked', 'done']);
export type TodoStatus = z.infer<typeof todoStatus>;

export const todoAdd = feedKind(
	'todo.add',
	z.object({
		todo_id: z.string(),
		text: z.string(),
		details: z.string().optional(),
		priority: todoPriority.optional(),
		linked_event_id: z.string().optional(),
		assigned_actor_id: z.string().optional(),
		tags: z.array(z.string()).optional(),
	}),
);

export const todoUpdate = feedKind(
	'todo.update',
	z.object({
		todo_id: z.string(),
		patch: z
			.object({
				text: z.string(),
				details: z.string(),
				priority: todoPriority,
				status: todoStatus,
				assigned_actor_id: z.string(),
				tags: z.array(z.string()),
			})
			.partial(),
	}),
);

export const todoDone = feedKind('todo.done', z.object({ todo_id: z.string(), reason: z.string().optional() }));
