// Which facts of a run are progress: what its agent does, and that it still tries to reach its model.
import { shouldExclude } from '@roost/core/feed/filter';
import type { FeedEvent } from '@roost/protocol/feed/event';

/** Its own words come at the end, and how it ended is the last line. */
const NOT_PROGRESS = /^(agent\.message|user\.prompt|run\.|session\.|stop\.|usage\.)/;

/** A model that is down is tried again every second at first. */
const RETRY_MS = 10_000;

export function createProgressFilter(): (event: FeedEvent) => boolean {
	let lastRetry = Number.NEGATIVE_INFINITY;

	return (event) => {
		if (shouldExclude(event) || NOT_PROGRESS.test(event.kind)) return false;
		if (event.kind !== 'notification' || event.data.notification_type !== 'api_retry') return true;
		if (event.ts - lastRetry < RETRY_MS) return false;
		lastRetry = event.ts;
		return true;
	};
}
