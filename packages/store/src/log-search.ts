// Searching the log: keeps the index behind the log while nobody waits, and reads what is not indexed yet when somebody asks.
import { DatabaseSync, type SQLOutputValue } from 'node:sqlite';
import { storedLine } from '@roost/protocol/stored-line';
import { lastPosition, toPosition } from './position.ts';
import { numberOf, textOf } from './row-values.ts';
import { createSearchIndex, SEARCH_TABLES, type SearchEntry } from './search-index.ts';
import { searchText } from './search-text.ts';
import type { SearchHit, SearchQuery } from './store.ts';

export type LogSearch = {
	/** Indexes at most so many events; false when nothing is left to index. */
	catchUp(slice: number): boolean;
	find(query: SearchQuery): SearchHit[];
};

/** How many events are held in memory at once when they are searched without the index. */
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
		const rows = lines.all(indexed, last, slice);
		for (const entry of toEntries(rows)) index.add(entry);
		const end = rows.at(-1);
		if (end !== undefined) setCursor.run(runnerNo, numberOf(end, 'position'));
	}

	/** Newest first, a slice at a time, so that a long tail costs no more memory than a short one. */
	function* tailHits(query: SearchQuery): Generator<SearchHit> {
		for (const { indexed, last } of behind()) {
			for (let end = last; end > indexed; end -= TAIL_SLICE) {
				const rows = lines.all(Math.max(indexed, end - TAIL_SLICE), end, TAIL_SLICE);
				yield* findAmong(toEntries(rows), query);
			}
		}
	}

	return {
		catchUp(slice) {
			const [first] = behind();
			if (first === undefined) return false;
			inTransaction(db, 'BEGIN IMMEDIATE', () => indexSlice(first, slice));
			return true;
		},
		// In one snapshot, or an event indexed in between would be found twice.
		find: (query) =>
			inTransaction(db, 'BEGIN', () => {
				const fresh = tailHits(query).take(query.limit).toArray();
				const rest = query.limit - fresh.length;
				return rest === 0 ? fresh : [...fresh, ...index.find({ ...query, limit: rest })];
			}),
	};
}

function inTransaction<T>(db: DatabaseSync, begin: string, action: () => T): T {
	db.exec(begin);
	try {
		const result = action();
		db.exec('COMMIT');
		return result;
	} catch (cause) {
		if (db.isTransaction) db.exec('ROLLBACK');
		throw cause;
	}
}

/** The same index and the same words, so that a hit does not depend on whether its event was indexed in time. */
function findAmong(entries: readonly SearchEntry[], query: SearchQuery): SearchHit[] {
	using db = new DatabaseSync(':memory:');
	db.exec(SEARCH_TABLES);
	const index = createSearchIndex(db);
	for (const entry of entries) index.add(entry);
	return index.find(query);
}

/** A line that was tampered with may be no event any more: it cannot be searched, and verify names it. */
function toEntries(rows: readonly Record<string, SQLOutputValue>[]): SearchEntry[] {
	return rows.flatMap((row) => {
		const parsed = storedLine.safeParse(parseJson(textOf(row, 'line')));
		if (!parsed.success) return [];
		const { sessionId, stream, offset, ts, event } = parsed.data;
		return [{ sessionId, stream, offset, ts, kind: event.kind, title: event.title, text: searchText(event) }];
	});
}

function parseJson(text: string): unknown {
	try {
		return JSON.parse(text);
	} catch {
		// No value is a stored line, so the caller leaves it out.
		return undefined;
	}
}
