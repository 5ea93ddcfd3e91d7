// Subagents, and the tasks of a team.

import type { FeedEventOf } from '@roost/protocol/feed/event';
import { markdownRows } from '../parts/markdown.ts';
import { row, span } from '../screen/row.ts';
import type { Context, Renderer, Sign } from './renderer.ts';
import { titled } from './rows.ts';

/** A subagent began to work. */
export const subagentStart: Renderer<'subagent.start'> = titled(
	'branch',
	'accent',
	({ data }) => `Subagent ${data.agent_type || data.agent_id} started`,
);

/** A subagent finished; with what it said last. */
export const subagentStop: Renderer<'subagent.stop'> = {
	sign: () => ({ glyph: 'lastBranch', tone: 'accent' }),
	line: ({ data }) => row(span(`Subagent ${data.agent_type || data.agent_id} finished`, 'accent')),
	body: ({ data }, { styles }, width) =>
		data.last_assistant_message ? markdownRows(data.last_assistant_message, width, styles) : undefined,
};

type TaskEvent = FeedEventOf<'task.created' | 'task.completed'>;

/** A task of a team, whatever became of it. */
export function task(sign: Sign, word: string) {
	return {
		sign: () => sign,
		line: ({ data }: TaskEvent) => row(span(`${word}: ${data.task_subject ?? data.task_id}`, sign.tone)),
		body: ({ data }: TaskEvent, { styles }: Context, width: number) =>
			data.task_description ? markdownRows(data.task_description, width, styles) : undefined,
	};
}

/** A task that was given out. */
export const taskCreated: Renderer<'task.created'> = task({ glyph: 'todoOpen', tone: 'faint' }, 'Task');

/** A task that is done. */
export const taskCompleted: Renderer<'task.completed'> = task({ glyph: 'todoDone', tone: 'good' }, 'Task completed');
