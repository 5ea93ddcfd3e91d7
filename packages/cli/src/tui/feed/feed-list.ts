// The feed as a list of rows: what lists hide is left out, and a result stands with its call. Appending costs the same at any length.
import { shouldExclude } from '@roost/core/feed/filter';
import type { FeedEvent, FeedEventOf } from '@roost/protocol/feed/event';
import type { EventId, RunId } from '@roost/protocol/ids';

export type FeedEntry = {
	readonly event: FeedEvent;
	/** What became of a call. */
	result?: ToolResult;
};

export type ToolResult = FeedEventOf<'tool.post' | 'tool.failure'>;

export type FeedList = {
	/** Grows at the end only. */
	readonly entries: readonly FeedEntry[];
	find(id: EventId): FeedEntry | undefined;
	/** Of what lists hide, the entry before it. */
	indexOf(id: EventId): number | undefined;
	/** Also one that stands with its call. */
	eventOf(id: EventId): FeedEvent | undefined;
	/** What a run was started with. */
	promptOf(run: RunId): FeedEvent | undefined;
	add(event: FeedEvent): void;
};

export function createFeedList(): FeedList {
	const entries: FeedEntry[] = [];
	const places = new Map<EventId, number>();
	const hidden = new Map<EventId, number>();
	const prompts = new Map<RunId, FeedEvent>();

	/** Where its call stands, if this is the result of one. */
	function callOf(event: FeedEvent): { call: FeedEntry; place: number; result: ToolResult } | undefined {
		if (event.kind !== 'tool.post' && event.kind !== 'tool.failure') return undefined;
		const place = places.get(event.cause?.parent_event_id ?? event.event_id);
		const call = place === undefined ? undefined : entries[place];
		return place !== undefined && call?.event.kind === 'tool.pre' ? { call, place, result: event } : undefined;
	}

	return {
		entries,
		find: (id) => entries[places.get(id) ?? -1],
		indexOf: (id) => places.get(id) ?? hidden.get(id),
		eventOf(id) {
			const entry = entries[places.get(id) ?? -1];
			return entry?.result?.event_id === id ? entry.result : entry?.event;
		},
		promptOf: (run) => prompts.get(run),
		add(event) {
			const joined = callOf(event);
			if (joined) {
				joined.call.result = joined.result;
				places.set(event.event_id, joined.place);
				return;
			}
			if (shouldExclude(event)) {
				hidden.set(event.event_id, Math.max(0, entries.length - 1));
				return;
			}
			if (event.kind === 'user.prompt') prompts.set(event.run_id, event);
			places.set(event.event_id, entries.length);
			entries.push({ event });
		},
	};
}
