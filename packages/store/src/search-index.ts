// The full-text index: the text of each event, and its place in the log.
import type { DatabaseSync, SQLOutputValue } from 'node:sqlite';
import type { SessionId, StreamId } from '@roost/protocol/ids';
import { numberOf, textOf } from './row-values.ts';
import { toFullTextQuery } from './search-words.ts';
import type { SearchHit, SearchQuery } from './store.ts';

export const SEARCH_TABLES = `
	CREATE VIRTUAL TABLE event_text USING fts5 (
		text, session_id UNINDEXED, stream UNINDEXED, place UNINDEXED, ts UNINDEXED, kind UNINDEXED,
		tokenize = 'unicode61 remove_diacritics 2'
	);
`;

export type SearchEntry = Omit<SearchHit, 'excerpt' | 'title'> & { text: string };

/** A hit without its title, which is made from the event. */
export type IndexHit = Omit<SearchHit, 'title'>;

export type SearchIndex = {
	add(entry: SearchEntry): void;
	/** Newest first. */
	find(query: SearchQuery): IndexHit[];
};

export function createSearchIndex(db: DatabaseSync): SearchIndex {
	const insert = db.prepare('INSERT INTO event_text (text, session_id, stream, place, ts, kind) VALUES (?, ?, ?, ?, ?, ?)');
	const match = db.prepare(`
		SELECT session_id, stream, place, ts, kind, snippet(event_text, -1, '', '', '…', 24) AS excerpt
		FROM event_text WHERE event_text MATCH :query AND (:session IS NULL OR session_id = :session)
		ORDER BY rowid DESC LIMIT :limit
	`);

	return {
		add({ text, sessionId, stream, offset, ts, kind }) {
			insert.run(text, sessionId, stream, offset, ts, kind);
		},
		find({ words, limit, sessionId }) {
			const query = toFullTextQuery(words);
			if (query === undefined) return [];
			return match.all({ query, limit, session: sessionId ?? null }).map(toHit);
		},
	};
}

function toHit(row: Record<string, SQLOutputValue>): IndexHit {
	return {
		sessionId: textOf(row, 'session_id') as SessionId,
		stream: textOf(row, 'stream') as StreamId,
		offset: numberOf(row, 'place'),
		ts: numberOf(row, 'ts'),
		kind: textOf(row, 'kind'),
		excerpt: textOf(row, 'excerpt'),
	};
}
