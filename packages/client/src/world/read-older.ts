// The older part of a record, page by page from the newest to the oldest. It goes on until it has all, whoever goes away meanwhile.

import type { FeedEvent } from '@roost/protocol/feed/event';
import type { SessionId } from '@roost/protocol/ids';
import type { ApiClient } from '../api-client.ts';
import type { Pause } from './pause.ts';

export type ReadOlder = {
	id: SessionId;
	feed: ApiClient['feed'];
	/** How many events there are to read. */
	before: number;
	isOver: () => boolean;
	pause: Pause;
};

/** Few enough that keys are answered between two pages. */
const PAGE = 500;
const PAUSE_MS = 500;

/** Each page is told when it is there; all of them, in order, at the end, or what there was when it was stopped. */
export async function readOlder(
	{ id, feed, before, isOver, pause }: ReadOlder,
	onPage: (page: readonly FeedEvent[]) => void,
): Promise<FeedEvent[][]> {
	const pages: FeedEvent[][] = [];
	let rest = before;
	while (rest > 0 && !isOver()) {
		const after = Math.max(0, rest - PAGE);
		const read = await feed.events({ id, after, limit: rest - after });
		if (isOver()) break;
		if (!read.ok || read.value.length < rest - after) {
			// Whoever leaves meanwhile is not kept.
			await pause(PAUSE_MS);
			continue;
		}
		const page = read.value.map(({ event }) => event);
		pages.push(page);
		onPage(page);
		rest = after;
	}
	return pages.reverse();
}
