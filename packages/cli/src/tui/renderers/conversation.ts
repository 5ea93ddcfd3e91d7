// Prompts, messages, subagents, tasks, todos and stops.
import { because, firstLine } from '@roost/core/display/first-line';
import { stopWords } from '@roost/core/feed/plain-words';
import { decidedBy } from '@roost/core/views/words';
import type { FeedEventOf } from '@roost/protocol/feed/event';
import { markdownRows } from '../parts/markdown.ts';
import { wrapped } from '../parts/wrapped.ts';
import { type Row, row, span } from '../screen/row.ts';
import type { Styles } from '../screen/styles.ts';
import { type Context, fieldRows, prose, type Renderer, type Sign, titled } from './renderer.ts';
import { reviewRows } from './review.ts';

const plainPrompt: Renderer<'user.prompt'> = prose({
	sign: { glyph: 'prompt', tone: 'person' },
	tone: 'person',
	textOf: ({ data }) => data.prompt,
});

/** A review is a card: each comment with its place and the lines that it is about. */
export const userPrompt: Renderer<'user.prompt'> = {
	...plainPrompt,
	body: (event, context, width) =>
		event.data.review ? reviewRows(event.data.review, context, width) : plainPrompt.body?.(event, context, width),
};

export const promptExpansion: Renderer<'prompt.expansion'> = {
	sign: () => ({ glyph: 'prompt', tone: 'faint' }),
	line: ({ data }) => row(span(commandOf(data), 'faint')),
	body: ({ data }, { styles }, width) => (data.prompt ? markdownRows(data.prompt, width, styles) : undefined),
};

function commandOf(data: { command_name?: string; command_args?: string; prompt?: string }): string {
	if (!data.command_name) return firstLine(data.prompt ?? 'Prompt expanded');
	return `/${data.command_name} ${data.command_args ?? ''}`.trimEnd();
}

export const agentMessage: Renderer<'agent.message'> = prose({
	sign: { glyph: 'message', tone: 'agent' },
	textOf: ({ data }) => data.text,
});

export const subagentStart: Renderer<'subagent.start'> = titled(
	'branch',
	'accent',
	({ data }) => `Subagent ${data.agent_type || data.agent_id} started`,
);

export const subagentStop: Renderer<'subagent.stop'> = {
	sign: () => ({ glyph: 'lastBranch', tone: 'accent' }),
	line: ({ data }) => row(span(`Subagent ${data.agent_type || data.agent_id} finished`, 'accent')),
	body: ({ data }, { styles }, width) =>
		data.last_assistant_message ? markdownRows(data.last_assistant_message, width, styles) : undefined,
};

type TaskEvent = FeedEventOf<'task.created' | 'task.completed'>;

function task(sign: Sign, word: string) {
	return {
		sign: () => sign,
		line: ({ data }: TaskEvent) => row(span(`${word}: ${data.task_subject ?? data.task_id}`, sign.tone)),
		body: ({ data }: TaskEvent, { styles }: Context, width: number) =>
			data.task_description ? markdownRows(data.task_description, width, styles) : undefined,
	};
}

export const taskCreated: Renderer<'task.created'> = task({ glyph: 'todoOpen', tone: 'faint' }, 'Task');

export const taskCompleted: Renderer<'task.completed'> = task({ glyph: 'todoDone', tone: 'good' }, 'Task completed');

export const todoAdd: Renderer<'todo.add'> = {
	sign: () => ({ glyph: 'todoOpen', tone: 'faint' }),
	line: ({ data }) => row(span(firstLine(data.text), 'faint')),
	body: ({ data }, { styles }, width) => (data.details ? markdownRows(data.details, width, styles) : undefined),
};

export const todoUpdate: Renderer<'todo.update'> = {
	sign: ({ data }) => signOf(data.patch.status),
	line: ({ data }) => {
		const { text, status } = data.patch;
		return row(span(`${firstLine(text ?? `${data.todo_id} changed`)}${status ? ` (${status})` : ''}`, 'faint'));
	},
	body: ({ data }, _, width) => fieldRows(data.patch, width),
};

function signOf(status: string | undefined): Sign {
	if (status === 'done') return { glyph: 'todoDone', tone: 'faint' };
	return status === 'blocked' ? { glyph: 'ask', tone: 'warn' } : { glyph: 'todoDoing', tone: 'faint' };
}

export const todoDone: Renderer<'todo.done'> = titled(
	'todoDone',
	'faint',
	({ data }) => `Todo ${data.todo_id} done${because(data.reason)}`,
);

export const stopRequest: Renderer<'stop.request'> = titled('ended', 'faint', ({ data }) =>
	data.background_tasks ? `Stop, ${data.background_tasks} still in the background` : 'Stop',
);

type Decision = FeedEventOf<'stop.decision'>['data'];

const OUTCOMES: Record<Decision['decision_type'], Sign & { words: string }> = {
	no_opinion: { glyph: 'bullet', tone: 'faint', words: 'May stop' },
	allow: { glyph: 'ok', tone: 'good', words: 'May stop' },
	block: { glyph: 'failed', tone: 'warn', words: 'Must continue' },
};

export const stopDecision: Renderer<'stop.decision'> = {
	sign: ({ data }) => OUTCOMES[data.decision_type],
	line: ({ data }) => {
		const { words, tone } = OUTCOMES[data.decision_type];
		return row(span(`${words}${because(data.reason)}`, tone), span(`  ${decidedBy(data)}`, 'faint'));
	},
	body: ({ data }, _, width) => (data.reason ? wrapped(data.reason, width) : undefined),
};

export const stopFailure: Renderer<'stop.failure'> = {
	sign: () => ({ glyph: 'failed', tone: 'bad' }),
	line: ({ data }) => row(span(`Stopped by an error${because(data.last_assistant_message ?? stopWords(data.error))}`, 'bad')),
	body: (event, { styles }, width) => failureRows(event, width, styles),
};

function* failureRows({ data }: FeedEventOf<'stop.failure'>, width: number, styles: Styles): Generator<Row> {
	yield* wrapped(stopWords(data.error), width, 'bad');
	if (data.last_assistant_message) yield* markdownRows(data.last_assistant_message, width, styles);
}
