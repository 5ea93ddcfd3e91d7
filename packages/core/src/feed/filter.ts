// Which events are stored, and which ones lists show.
import type { FeedData, FeedEvent, FeedEventKind } from '@roost/protocol/feed/event';

type KindAndData = { [K in FeedEventKind]: { kind: K; data: FeedData<K> } }[FeedEventKind];

/** Broadcast, never stored. */
export function isTransient(event: KindAndData): boolean {
	if (event.kind === 'message.display') return !event.data.final;
	return event.kind === 'agent.delta' || event.kind === 'tool.delta';
}

const HIDDEN: ReadonlySet<FeedEventKind> = new Set([
	'agent.delta',
	'tool.delta',
	'tool.batch',
	'message.display',
	'instructions.loaded',
	'todo.add',
	'todo.update',
	'todo.done',
	'prompt.update',
]);

/** Events that lists hide by default; a result that is joined to its call is shown there. */
export function shouldExclude(event: FeedEvent): boolean {
	return HIDDEN.has(event.kind) || (event.kind === 'tool.post' && event.cause?.parent_event_id !== undefined);
}
