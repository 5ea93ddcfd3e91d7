// Searching the record while agents wait for us: never longer than a moment, however much is not indexed yet.
import type { SearchFound, SearchHit } from '@roost/protocol/api/search';
import { eventId } from '@roost/protocol/ids';
import { ok, type Result } from '@roost/protocol/result';
import type { Store } from '@roost/store/store';
import { z } from 'zod';

/** Some 40 microseconds each; the index has caught up with the others soon. */
const MOST_UNINDEXED = 1_000;

const line = z.object({ event: z.object({ event_id: eventId }) });

export function searchRecord(
	store: Pick<Store, 'search' | 'searchLag' | 'read'>,
	query: { words: string; limit: number },
): Result<SearchFound> {
	const lag = store.searchLag();
	if (!lag.ok) return lag;
	const found = store.search({ ...query, unindexed: MOST_UNINDEXED });
	if (!found.ok) return found;
	const hits: SearchHit[] = [];
	for (const { stream, ...hit } of found.value) {
		const place = store.read({ stream, after: hit.offset - 1, limit: 1 });
		if (!place.ok) return place;
		const [entry] = place.value;
		if (entry) hits.push({ ...hit, eventId: line.parse(JSON.parse(entry.line)).event.event_id });
	}
	return ok({ hits, unsearched: Math.max(0, lag.value - MOST_UNINDEXED) });
}
