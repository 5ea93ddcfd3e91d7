// The list of the events themselves, for a face that has all of them.
import type { FeedEvent, FeedEventOf } from '@roost/protocol/feed/event';
import { shouldExclude } from '../feed/filter.ts';
import { createJoinedList, type JoinedEntry, type JoinedList, type ListOptions, type Reading } from './joined-list.ts';

export type ToolResult = FeedEventOf<'tool.post' | 'tool.failure'>;
export type Decision = FeedEventOf<'permission.decision'>;
export type FeedEntry = JoinedEntry<FeedEvent, ToolResult, Decision>;
export type FeedList = JoinedList<FeedEvent, ToolResult, Decision>;

export function createFeedList(options?: ListOptions): FeedList {
	return createJoinedList(EVENTS, options);
}

const EVENTS: Reading<FeedEvent, ToolResult, Decision> = {
	isResult: (event) => event.kind === 'tool.post' || event.kind === 'tool.failure',
	isDecision: (event) => event.kind === 'permission.decision',
	isHidden,
	parentOf: (event) => event.cause?.parent_event_id,
	announcedBy: (event) => (event.kind === 'agent.message' ? event.data.announces : undefined),
};

/** Usage is always shown in the header. */
function isHidden(event: FeedEvent): boolean {
	return shouldExclude(event) || event.kind === 'usage.update';
}
