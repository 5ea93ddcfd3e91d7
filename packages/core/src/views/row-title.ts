// The title of an event in a list of all events: without what the rows beside it say.
import type { FeedEvent } from '@roost/protocol/feed/event';
import { eventTitle } from '../feed/title.ts';

export function rowTitle(event: FeedEvent): string {
	// Its prompt or notice follows, unless it is the rest of a run before.
	if (event.kind !== 'run.start' || event.data.trigger.type === 'resume') return eventTitle(event);
	return 'Run started';
}
