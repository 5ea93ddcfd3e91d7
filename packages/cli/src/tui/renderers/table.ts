// Which renderer shows which kind. Every kind has one: a new kind breaks the build here.
import type { FeedEvent, FeedEventKind, FeedEventOf } from '@roost/protocol/feed/event';
import type { FeedEntry } from '../feed/feed-list.ts';
import type { Glyphs, Look, Tone } from '../screen/look.ts';
import type { Row } from '../screen/row.ts';
import type { Renderer } from './renderer.ts';
import { titled } from './titled.ts';

type Table = { readonly [Kind in FeedEventKind]: Renderer<Kind> };

const RENDERERS: Table = {
	'session.start': titled('bullet', 'faint'),
	'session.end': titled('ended', 'faint'),
	'session.native': titled('bullet', 'faint'),
	'session.summary': titled('bullet', 'faint'),
	'run.start': titled('bullet', 'faint'),
	'run.end': titled('bullet', 'faint'),
	'user.prompt': titled('prompt', 'person'),
	'prompt.expansion': titled('prompt', 'faint'),
	'agent.message': titled('message', 'agent'),
	'agent.delta': titled('message', 'faint'),
	'message.display': titled('message', 'faint'),
	'usage.update': titled('bullet', 'faint'),
	'tool.pre': titled('working', 'tool'),
	'tool.post': titled('ok', 'faint'),
	'tool.failure': titled('failed', 'bad'),
	'tool.delta': titled('working', 'faint'),
	'tool.batch': titled('working', 'faint'),
	'permission.request': titled('ask', 'warn'),
	'permission.decision': titled('ok', 'good'),
	'permission.denied': titled('failed', 'bad'),
	'question.request': titled('question', 'warn'),
	'question.answer': titled('ok', 'good'),
	'stop.request': titled('bullet', 'faint'),
	'stop.decision': titled('bullet', 'faint'),
	'stop.failure': titled('failed', 'bad'),
	'elicitation.request': titled('question', 'warn'),
	'elicitation.result': titled('ok', 'faint'),
	'subagent.start': titled('branch', 'accent'),
	'subagent.stop': titled('lastBranch', 'faint'),
	'teammate.idle': titled('idle', 'faint'),
	'task.created': titled('todoOpen', 'faint'),
	'task.completed': titled('todoDone', 'good'),
	'todo.add': titled('todoOpen', 'faint'),
	'todo.update': titled('todoDoing', 'faint'),
	'todo.done': titled('todoDone', 'faint'),
	notification: titled('bullet', 'warn'),
	setup: titled('bullet', 'faint'),
	'compact.pre': titled('bullet', 'faint'),
	'compact.post': titled('bullet', 'faint'),
	'model.switch.pre': titled('bullet', 'faint'),
	'model.switch.post': titled('bullet', 'accent'),
	'config.change': titled('bullet', 'warn'),
	'worktree.create': titled('bullet', 'faint'),
	'worktree.remove': titled('bullet', 'faint'),
	'instructions.loaded': titled('bullet', 'faint'),
	'cwd.change': titled('bullet', 'faint'),
	'file.change': titled('bullet', 'faint'),
	'directory.add': titled('bullet', 'faint'),
	'runtime.error': titled('failed', 'bad'),
	'runtime.status': titled('bullet', 'warn'),
	'terminal.open': titled('bullet', 'faint'),
	'terminal.close': titled('bullet', 'faint'),
	'rule.added': titled('bullet', 'accent'),
	'rule.removed': titled('bullet', 'accent'),
	'unknown.hook': titled('question', 'faint'),
};

export function glyphOf(event: FeedEvent): { glyph: keyof Glyphs; tone: Tone } {
	return RENDERERS[event.kind];
}

export function lineOf<Kind extends FeedEventKind>(event: FeedEventOf<Kind>, entry: FeedEntry): Row {
	return RENDERERS[event.kind as Kind].line(event, entry);
}

/** Empty where there is nothing to open. */
export function bodyOf<Kind extends FeedEventKind>(
	event: FeedEventOf<Kind>,
	entry: FeedEntry,
	room: { width: number; look: Look },
): readonly Row[] {
	return RENDERERS[event.kind as Kind].body?.(event, entry, room) ?? [];
}

export function canOpen(event: FeedEvent): boolean {
	return RENDERERS[event.kind].body !== undefined;
}
