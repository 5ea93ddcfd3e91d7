// Why an event happened: this result, because of this call, because of this prompt.
import type { FeedEvent } from '@roost/protocol/feed/event';
import type { EventId } from '@roost/protocol/ids';
import type { FeedList } from './feed-list.ts';

const LONGEST = 20;

/** The first cause first, the event itself last. */
export function causeChain(id: EventId, feed: FeedList): FeedEvent[] {
	const chain: FeedEvent[] = [];
	let event = feed.eventOf(id);
	while (event && chain.length < LONGEST && !chain.includes(event)) {
		chain.unshift(event);
		event = causeOf(event, feed);
	}
	return chain;
}

/** The parent event, or else the prompt that started the run. */
function causeOf(event: FeedEvent, feed: FeedList): FeedEvent | undefined {
	const parent = event.cause?.parent_event_id;
	const known = parent === undefined ? undefined : feed.eventOf(parent);
	return known ?? feed.promptOf(event.run_id);
}
