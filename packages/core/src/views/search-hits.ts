// The hits of a search. A prompt, response or call is one hit, although several events repeat its text.
import type { SearchHit } from '@roost/protocol/api/search';
import type { FeedEvent } from '@roost/protocol/feed/event';
import { cutText } from '../display/cut.ts';
import { toPreview } from '../feed/title.ts';

/** At most this many events contain the text of one call: the call, a request, its result, a batch. */
export const REPEATS = 4;

/** A word of an agent may be as long as it likes, and faces show a page of hits at once. */
const MOST_CHARACTERS = 500;

/** An event that contains the words, as an index found it. */
export type FoundEvent = Omit<SearchHit, 'eventId'> & { event: FeedEvent };

/** Newest first, like the events; the earliest of events with the same text. */
export function toSearchHits(found: readonly FoundEvent[], limit: number): SearchHit[] {
	const hits = new Map<string, SearchHit>();
	const repeats = new Map<string, string>();
	const messages = new Set<string>();
	for (const { event, excerpt, ...hit } of found) {
		const key = sameThing(event);
		const response = responseOf(event);
		if (response !== undefined) repeats.set(key, response);
		if (event.kind === 'agent.message') messages.add(`${event.session_id} ${event.data.text}`);
		const title = cutText(hit.title, MOST_CHARACTERS);
		hits.set(key, { ...hit, title, excerpt: cutText(toLine(excerpt), MOST_CHARACTERS), eventId: event.event_id });
	}
	for (const [key, response] of repeats) if (messages.has(response)) hits.delete(key);
	return [...hits.values()].slice(0, limit);
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
