// Searches the record and reports usage. A prompt, response or call is one hit, although several events repeat its text.
import { cutText } from '@roost/core/display/cut';
import { toPreview } from '@roost/core/feed/title';
import { groupUsage } from '@roost/core/usage/group-usage';
import type { SearchFound, SearchHit } from '@roost/protocol/api/search';
import type { UsageQuery, UsageReport } from '@roost/protocol/api/usage';
import type { FeedEvent } from '@roost/protocol/feed/event';
import { ok, type Result } from '@roost/protocol/result';
import { storedLine } from '@roost/protocol/stored-line';
import type { Store } from '@roost/store/store';

/** About 40 µs each while agents wait; the index catches up with the rest soon. */
const MOST_UNINDEXED = 1_000;
/** At most this many events contain the text of one call: the call, a request, its result, a batch. */
const REPEATS = 4;

/** A word of an agent may be as long as it likes, and faces show a page of hits at once. */
const MOST_CHARACTERS = 500;

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
	const hits = new Map<string, SearchHit>();
	const repeats = new Map<string, string>();
	const message = new Set<string>();
	for (const { stream, excerpt, ...hit } of found.value) {
		const place = store.read({ stream, after: hit.offset - 1, limit: 1 });
		if (!place.ok) return place;
		const [entry] = place.value;
		if (!entry) continue;
		const { event } = storedLine.parse(JSON.parse(entry.line));
		const key = sameThing(event);
		const response = responseOf(event);
		if (response !== undefined) repeats.set(key, response);
		if (event.kind === 'agent.message') message.add(`${event.session_id} ${event.data.text}`);
		const title = cutText(hit.title, MOST_CHARACTERS);
		hits.set(key, { ...hit, title, excerpt: cutText(toLine(excerpt), MOST_CHARACTERS), eventId: event.event_id });
	}
	for (const [key, response] of repeats) if (message.has(response)) hits.delete(key);
	return ok([...hits.values()].slice(0, limit));
}

function toLine(text: string): string {
	return text.replace(/\s+/g, ' ').trim();
}

/** The final response, if the event only repeats it. */
function responseOf(event: FeedEvent): string | undefined {
	if (event.kind === 'stop.request' || event.kind === 'subagent.stop')
		return `${event.session_id} ${event.data.last_assistant_message}`;
	return event.kind === 'session.summary' ? `${event.session_id} ${event.data.last_assistant_text}` : undefined;
}

/** Equal for events about one prompt or call. */
function sameThing(event: FeedEvent): string {
	const toolUseId = event.cause?.tool_use_id;
	if (toolUseId !== undefined) return `${event.session_id} call ${toolUseId}`;
	switch (event.kind) {
		case 'run.start':
			return `${event.session_id} prompt ${event.run_id} ${event.data.trigger.prompt_preview}`;
		case 'user.prompt':
			return `${event.session_id} prompt ${event.run_id} ${toPreview(event.data.prompt)}`;
		default:
			return event.event_id;
	}
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
