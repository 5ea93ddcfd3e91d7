// Searches the record and reports usage.
import { groupUsage } from '@roost/core/usage/group-usage';
import { type FoundEvent, REPEATS, toSearchHits } from '@roost/core/views/search-hits';
import type { SearchFound, SearchHit } from '@roost/protocol/api/search';
import type { UsageQuery, UsageReport } from '@roost/protocol/api/usage';
import { ok, type Result } from '@roost/protocol/result';
import { storedLine } from '@roost/protocol/stored-line';
import type { Store } from '@roost/store/store';

/** About 40 µs each while agents wait; the index catches up with the rest soon. */
const MOST_UNINDEXED = 1_000;

type Query = { words: string; limit: number; unindexed?: number };

/** Bounded in time, because agents wait for it. */
export function searchRecord(store: Pick<Store, 'search' | 'searchLag' | 'read'>, query: Query): Result<SearchFound> {
	const lag = store.searchLag();
	if (!lag.ok) return lag;
	const hits = findHits(store, { ...query, unindexed: MOST_UNINDEXED });
	return hits.ok ? ok({ hits: hits.value, unsearched: Math.max(0, lag.value - MOST_UNINDEXED) }) : hits;
}

/** Newest first; the earliest of events with the same text. */
export function findHits(store: Pick<Store, 'search' | 'read'>, { limit, ...query }: Query): Result<SearchHit[]> {
	const found = store.search({ ...query, limit: limit * REPEATS });
	if (!found.ok) return found;
	const events: FoundEvent[] = [];
	for (const { stream, ...hit } of found.value) {
		const place = store.read({ stream, after: hit.offset - 1, limit: 1 });
		if (!place.ok) return place;
		const [entry] = place.value;
		if (entry) events.push({ ...hit, event: storedLine.parse(JSON.parse(entry.line)).event });
	}
	return ok(toSearchHits(events, limit));
}

export function readUsage(store: Pick<Store, 'usage' | 'sessions'>, { by, since, until }: UsageQuery): Result<UsageReport> {
	const rows = store.usage({ since, until });
	if (!rows.ok) return rows;
	const titles = readTitles(store, by);
	if (!titles.ok) return titles;
	return ok({ by, since, until, ...groupUsage(rows.value, by, (key) => titles.value.get(key)) });
}

/** Days, agents and models need no title. */
function readTitles(store: Pick<Store, 'sessions'>, by: UsageQuery['by']): Result<Map<string, string>> {
	if (by !== 'session' && by !== 'project') return ok(new Map());
	const sessions = store.sessions();
	if (!sessions.ok) return sessions;
	const titles = new Map<string, string>();
	for (const { id, title, projectId, projectPath } of sessions.value) {
		if (by === 'session') titles.set(id, title);
		else titles.set(projectId, projectPath);
	}
	return ok(titles);
}
