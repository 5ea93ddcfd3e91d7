// The full-text index: the text of each event, and enough of it to show a hit without reading the log.
import type { DatabaseSync, SQLOutputValue } from 'node:sqlite';
import type { SessionId, StreamId } from '@roost/protocol/ids';
import { numberOf, textOf } from './row-values.ts';
import { toFullTextQuery } from './search-words.ts';
import type { SearchHit, SearchQuery } from './store.ts';

export const SEARCH_TABLES = `
	CREATE VIRTUAL TABLE event_text USING fts5 (
		title, text, session_id UNINDEXED, stream UNINDEXED, place UNINDEXED, ts UNINDEXED, kind UNINDEXED,
		tokenize = 'unicode61 remove_diacritics 2'
	);
`;

/** A migration for a change of titles or texts: the runner fills the index again while it is idle. */
export const CLEAR_SEARCH = `DROP TABLE event_text; DELETE FROM indexed; ${SEARCH_TABLES}`;

export type SearchEntry = Omit<SearchHit, 'excerpt'> & { text: string };

export type SearchIndex = {
	add(entry: SearchEntry): void;
	/** Newest first. */
	find(query: SearchQuery): SearchHit[];
};

export function createSearchIndex(db: DatabaseSync): SearchIndex {
	const insert = db.prepare(
		'INSERT INTO event_text (title, text, session_id, stream, place, ts, kind) VALUES (?, ?, ?, ?, ?, ?, ?)',
	);
	const match = db.prepare(`
		SELECT title, session_id, stream, place, ts, kind, snippet(event_text, -1, '', '', '…', 24) AS excerpt
		FROM event_text WHERE event_text MATCH :query AND (:session IS NULL OR session_id = :session)
		ORDER BY rowid DESC LIMIT :limit
	`);

	return {
		add({ title, text, sessionId, stream, offset, ts, kind }) {
			insert.run(title, text, sessionId, stream, offset, ts, kind);
		},
		find({ words, limit, sessionId }) {
			const query = toFullTextQuery(words);
			if (query === undefined) return [];
			return match.all({ query, limit, session: sessionId ?? null }).map(toHit);
		},
	};
}

function toHit(row: Record<string, SQLOutputValue>): SearchHit {
	return {
		sessionId: textOf(row, 'session_id') as SessionId,
		stream: textOf(row, 'stream') as StreamId,
		offset: numberOf(row, 'place'),
		ts: numberOf(row, 'ts'),
		kind: textOf(row, 'kind'),
		title: textOf(row, 'title'),
		excerpt: textOf(row, 'excerpt'),
	};
}
