// Search over the log: updates the index while the writer is idle, and searches events that are not indexed yet.
import { DatabaseSync } from 'node:sqlite';
import { eventTitle } from '@roost/core/feed/title';
import { lastPosition, toPosition } from './position.ts';
import { lineOf, numberOf, type Row } from './row-values.ts';
import { createSearchIndex, SEARCH_TABLES, type SearchEntry, type SearchIndex } from './search-index.ts';
import { searchText } from './search-text.ts';
import type { SearchHit, SearchQuery } from './store.ts';
import { inTransaction, inUnsyncedTransaction } from './transaction.ts';

export type LogSearch = {
	/** Indexes at most this many events; false when nothing is left to index. */
	catchUp(slice: number): boolean;
	find(query: SearchQuery): SearchHit[];
	/** How many events are not indexed yet. */
	lag(): number;
};

/** How many events are in memory at once while they are searched without the index. */
const TAIL_SLICE = 2_000;

type Behind = { runnerNo: number; indexed: number; last: number };

export function createLogSearch(db: DatabaseSync): LogSearch {
	const index = createSearchIndex(db);
	const cursors = db.prepare(`
		SELECT runner_no, coalesce(position, 0) AS position FROM runners LEFT JOIN indexed USING (runner_no) ORDER BY runner_no DESC
	`);
	const lastOf = db.prepare('SELECT max(position) AS last FROM events WHERE position BETWEEN ? AND ?');
	const lines = db.prepare('SELECT position, line FROM events WHERE position > ? AND position <= ? ORDER BY position LIMIT ?');
	const setCursor = db.prepare(`
		INSERT INTO indexed (runner_no, position) VALUES (?, ?) ON CONFLICT (runner_no) DO UPDATE SET position = excluded.position
	`);

	function behind(): Behind[] {
		return cursors.all().flatMap((row) => {
			const runnerNo = numberOf(row, 'runner_no');
			const indexed = Math.max(numberOf(row, 'position'), toPosition(runnerNo, 0));
			const last = lastOf.get(indexed + 1, lastPosition(runnerNo))?.last;
			return typeof last === 'number' ? [{ runnerNo, indexed, last }] : [];
		});
	}

	function indexSlice({ runnerNo, indexed, last }: Behind, slice: number): void {
		setCursor.run(runnerNo, Math.max(indexed, addRows(index, lines.iterate(indexed, last, slice))));
	}

	/** Newest first, a slice at a time, so that a long tail costs no more memory than a short one. */
	function* tailHits(query: SearchQuery): Generator<SearchHit> {
		let allowed = query.unindexed ?? Number.POSITIVE_INFINITY;
		for (const { indexed, last } of behind()) {
			for (let end = last; end > indexed && allowed > 0; end -= TAIL_SLICE) {
				const slice = Math.min(TAIL_SLICE, allowed);
				yield* findAmong(lines.iterate(Math.max(indexed, end - slice), end, slice), query);
				allowed -= slice;
			}
		}
	}

	return {
		catchUp(slice) {
			const [first] = behind();
			if (first === undefined) return false;
			inUnsyncedTransaction(db, () => indexSlice(first, slice));
			return true;
		},
		// Positions of one runner have no gaps.
		lag: () => behind().reduce((sum, { indexed, last }) => sum + last - indexed, 0),
		// In one snapshot, or an event indexed in between would be found twice.
		find: (query) =>
			inTransaction(db, 'read', () => {
				const fresh = tailHits(query).take(query.limit).toArray();
				const rest = query.limit - fresh.length;
				return rest === 0 ? fresh : [...fresh, ...index.find({ ...query, limit: rest })];
			}),
	};
}

/** Of rows with `position` and `line`, oldest first. In an index of the same kind, so that a hit does not depend on whether its event was indexed in time. */
export function findAmong(rows: Iterable<Row>, query: SearchQuery): SearchHit[] {
	using db = new DatabaseSync(':memory:');
	db.exec(SEARCH_TABLES);
	const index = createSearchIndex(db);
	addRows(index, rows);
	return index.find(query);
}

/** Returns the position of the last row; 0 without rows. */
function addRows(index: SearchIndex, rows: Iterable<Row>): number {
	let position = 0;
	for (const row of rows) {
		const entry = toEntry(row);
		if (entry !== undefined) index.add(entry);
		position = numberOf(row, 'position');
	}
	return position;
}

/** Undefined for a line that is not an event. */
export function toEntry(row: Row): SearchEntry | undefined {
	const stored = lineOf(row);
	if (stored === undefined) return undefined;
	const { sessionId, stream, offset, ts, event } = stored;
	return { sessionId, stream, offset, ts, kind: event.kind, title: eventTitle(event), text: searchText(event) };
}
