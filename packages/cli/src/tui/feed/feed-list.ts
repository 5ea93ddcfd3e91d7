// The feed as a list of rows: what lists hide is left out, and a result stands with its call. It grows at both ends, at a constant cost.
import { shouldExclude } from '@roost/core/feed/filter';
import type { FeedEvent, FeedEventOf } from '@roost/protocol/feed/event';
import type { EventId, RunId } from '@roost/protocol/ids';

export type FeedEntry = {
	readonly event: FeedEvent;
	/** What became of a call. */
	result?: ToolResult;
};

export type ToolResult = FeedEventOf<'tool.post' | 'tool.failure'>;

/** `after` is the place of the entry before it; `order` tells it from others there. */
type Hidden = { after: number; readonly order: number };

/** Every entry has a place that stays: the first that came has 0, what is older counts down from there. */
export type FeedList = {
	/** The place of the oldest; the same as `end` where there is none. */
	readonly first: number;
	/** One more than the place of the newest. */
	readonly end: number;
	at(place: number): FeedEntry | undefined;
	find(id: EventId): FeedEntry | undefined;
	/** The place; of what lists hide, that of the entry before it. */
	indexOf(id: EventId): number | undefined;
	/** Also one that stands with its call. */
	eventOf(id: EventId): FeedEvent | undefined;
	/** What a run was started with. */
	promptOf(run: RunId): FeedEvent | undefined;
	add(event: FeedEvent): void;
	/** What was right before all that is here, oldest first. */
	addOlder(events: readonly FeedEvent[]): void;
	/** Nothing is older than what is here. */
	endOlder(): void;
};

/** `olderComes`: the list begins in the middle of the record. */
export function createFeedList({ olderComes = false }: { olderComes?: boolean } = {}): FeedList {
	const newer: FeedEntry[] = [];
	/** The nearest first. */
	const older: FeedEntry[] = [];
	const places = new Map<EventId, number>();
	const hidden = new Map<EventId, Hidden>();
	const prompts = new Map<RunId, FeedEvent>();
	/** Results that came before their call, the newest first. */
	const early = new Map<EventId, ToolResult[]>();
	let isWhole = !olderComes;
	let newest = 0;
	let oldest = 0;

	const at = (place: number) => (place < 0 ? older[-1 - place] : newer[place]);
	const find = (id: EventId) => at(places.get(id) ?? Number.NaN);
	const callOf = (parent: EventId) => {
		const entry = find(parent);
		return entry?.event.kind === 'tool.pre' && entry.event.event_id === parent ? entry : undefined;
	};
	const clamp = (place: number) => Math.min(newer.length - 1, Math.max(0 - older.length, place));

	function hide(event: FeedEvent): void {
		hidden.set(event.event_id, { after: newer.length - 1, order: ++newest });
	}

	function hideOlder(event: FeedEvent): void {
		hidden.set(event.event_id, { after: -1 - older.length, order: --oldest });
	}

	function take(event: FeedEvent, entries: FeedEntry[], place: number): void {
		places.set(event.event_id, place);
		const entry: FeedEntry = { event };
		entries.push(entry);
		if (event.kind !== 'tool.pre') return;
		const results = early.get(event.event_id) ?? [];
		entry.result = results[0];
		for (const { event_id } of results) {
			places.set(event_id, place);
			hidden.delete(event_id);
		}
		early.delete(event.event_id);
	}

	/** A failure is shown where it stands when its call was missed; what is older makes room. */
	function insert(result: ToolResult, { after, order }: Hidden): void {
		for (const [id, place] of places) if (place <= after) places.set(id, place - 1);
		for (const one of hidden.values()) if (one.after < after || (one.after === after && one.order < order)) one.after -= 1;
		hidden.delete(result.event_id);
		places.set(result.event_id, after);
		if (after < 0) older.splice(-1 - after, 0, { event: result });
		else {
			newer.splice(after + 1, 0, { event: result });
			older.unshift(...newer.splice(0, 1));
		}
	}

	return {
		get first() {
			return 0 - older.length;
		},
		get end() {
			return newer.length;
		},
		at,
		find,
		indexOf(id) {
			const place = places.get(id) ?? hidden.get(id)?.after;
			return place === undefined ? undefined : clamp(place);
		},
		eventOf(id) {
			const entry = find(id);
			return entry?.result?.event_id === id ? entry.result : entry?.event;
		},
		promptOf: (run) => prompts.get(run),
		add(event) {
			const parent = event.cause?.parent_event_id;
			const result = parent === undefined ? undefined : toResult(event);
			if (result && parent !== undefined) {
				const call = callOf(parent);
				if (call) {
					call.result = result;
					places.set(event.event_id, places.get(parent) ?? 0);
					return;
				}
				if (!isWhole && !places.has(parent)) {
					early.set(parent, [result, ...(early.get(parent) ?? [])]);
					return hide(event);
				}
			}
			if (shouldExclude(event)) return hide(event);
			if (event.kind === 'user.prompt') prompts.set(event.run_id, event);
			take(event, newer, newer.length);
		},
		addOlder(events) {
			// Backwards: every result is met before its call.
			for (const event of events.toReversed()) {
				const result = toResult(event);
				const parent = event.cause?.parent_event_id;
				if (result && parent !== undefined) {
					early.set(parent, [...(early.get(parent) ?? []), result]);
					hideOlder(event);
				} else if (shouldExclude(event)) hideOlder(event);
				else {
					if (event.kind === 'user.prompt' && !prompts.has(event.run_id)) prompts.set(event.run_id, event);
					take(event, older, -1 - older.length);
				}
			}
		},
		endOlder() {
			isWhole = true;
			for (const result of [...early.values()].flat()) {
				const place = hidden.get(result.event_id);
				if (place && result.kind === 'tool.failure') insert(result, place);
			}
			early.clear();
		},
	};
}

function toResult(event: FeedEvent): ToolResult | undefined {
	return event.kind === 'tool.post' || event.kind === 'tool.failure' ? event : undefined;
}
