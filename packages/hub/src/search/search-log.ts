// Search in the log of one runner, with the hits that the runner's own index would have.
import { parseJson } from '@roost/core/display/parse-json';
import { type FoundEvent, REPEATS, toSearchHits } from '@roost/core/views/search-hits';
import type { SearchFound, SearchHit } from '@roost/protocol/api/search';
import type { LogName } from '@roost/protocol/log-cursor';
import type { LogEntry } from '@roost/protocol/log-entry';
import { ok, type Result } from '@roost/protocol/result';
import { storedLine } from '@roost/protocol/stored-line';
import { findAmong } from '@roost/store/log-search';
import type { HubWords } from '../store/hub-store.ts';

type Query = { words: string; limit: number };

/** Undefined before the first connection of a runner. */
export async function searchLog(words: HubWords, log: LogName | undefined, query: Query): Promise<Result<SearchFound>> {
	if (!log) return ok({ hits: [], unsearched: 0 });
	// First, so that lines that are indexed meanwhile are counted and found, not neither.
	const state = await words.state(log);
	if (!state.ok) return state;
	const found = await words.find(log, { ...query, limit: query.limit * REPEATS });
	if (!found.ok) return found;
	return ok({ hits: toHits(found.value, query), unsearched: state.value.last - state.value.indexed });
}

/** The lines are searched once more, for the text around the words. */
function toHits(lines: readonly LogEntry[], { words, limit }: Query): SearchHit[] {
	const byPlace = new Map(lines.map((entry) => [`${entry.stream} ${entry.offset}`, entry.line]));
	const oldestFirst = lines.toReversed().map(({ line }, position) => ({ position, line }));
	const events: FoundEvent[] = [];
	for (const { stream, ...hit } of findAmong(oldestFirst, { words, limit: lines.length })) {
		const line = storedLine.safeParse(parseJson(byPlace.get(`${stream} ${hit.offset}`) ?? ''));
		if (line.success) events.push({ ...hit, event: line.data.event });
	}
	return toSearchHits(events, limit);
}
