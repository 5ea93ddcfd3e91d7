// A task of a team, whatever became of it.
import type { FeedEventOf } from '@roost/protocol/feed/event';
import { markdownRows } from '../parts/markdown.ts';
import { row, span } from '../screen/row.ts';
import type { Context, Sign } from './renderer.ts';

type TaskEvent = FeedEventOf<'task.created' | 'task.completed'>;

export function task(sign: Sign, word: string) {
	return {
		sign: () => sign,
		line: ({ data }: TaskEvent) => row(span(`${word}: ${data.task_subject ?? data.task_id}`, sign.tone)),
		body: ({ data }: TaskEvent, { styles }: Context, width: number) =>
			data.task_description ? markdownRows(data.task_description, width, styles) : undefined,
	};
}
