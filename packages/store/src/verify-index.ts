// Compares the search index, its marks and the marks of the outbox with the log.
import type { DatabaseSync } from 'node:sqlite';
import { createLastSeqNo } from './log-reader.ts';
import { toEntry } from './log-search.ts';
import { runnerNoOf, seqNoOf, toPosition } from './position.ts';
import { allRows, numberOf, type Row, textOf } from './row-values.ts';

/** Both in the order of the log: entries are added by runner, and each runner's in its own order. */
export function searchProblems(db: DatabaseSync): string[] {
	const marks = allRows(db, 'SELECT runner_no, position FROM indexed');
	const indexed = new Map(marks.map((row) => [numberOf(row, 'runner_no'), numberOf(row, 'position')]));
	const events = db.prepare('SELECT position, line FROM events WHERE position BETWEEN ? AND ? ORDER BY position');
	if (indexed.size > 1) return countProblems(db, indexed);
	const [[runnerNo, last] = [0, 0]] = [...indexed];
	const entries = db.prepare('SELECT * FROM event_text ORDER BY rowid').iterate();
	for (const row of events.iterate(toPosition(runnerNo, 1), last)) {
		const entry = toEntry(row);
		if (entry === undefined) continue;
		const kept = entries.next().value;
		const place = `${entry.stream} offset ${entry.offset}`;
		if (kept === undefined) return [`Table event_text: the entry of ${place} is missing.`];
		if (!isEntry(kept, entry)) return [`Table event_text: the entry of ${place} differs from its event, or is not in its place.`];
	}
	return entries.next().done ? [] : ['Table event_text: there is an entry that no event explains.'];
}

/** With several runners the order of entries is unknown: their number is compared. */
function countProblems(db: DatabaseSync, indexed: ReadonlyMap<number, number>): string[] {
	const kept = numberOf(db.prepare('SELECT count(*) AS entries FROM event_text').get() ?? {}, 'entries');
	const expected = allRows(db, 'SELECT position, line FROM events ORDER BY position').filter((row) => {
		const position = numberOf(row, 'position');
		return position <= (indexed.get(runnerNoOf(position)) ?? 0) && toEntry(row) !== undefined;
	}).length;
	return kept === expected ? [] : [`Table event_text: it has ${kept} entries for ${expected} events.`];
}

function isEntry(kept: Row, entry: NonNullable<ReturnType<typeof toEntry>>): boolean {
	return (
		kept.title === entry.title.toWellFormed() &&
		kept.text === entry.text.toWellFormed() &&
		kept.session_id === entry.sessionId &&
		kept.stream === entry.stream &&
		kept.place === entry.offset &&
		kept.ts === entry.ts &&
		kept.kind === entry.kind
	);
}

/** A mark past the end of the log means that events are missing, or never existed. */
export function markProblems(db: DatabaseSync): string[] {
	const lastSeqNo = createLastSeqNo(db);
	const known = new Set(allRows(db, 'SELECT runner_no FROM runners').map((row) => numberOf(row, 'runner_no')));
	return MARKS.flatMap(({ table, column, seqNo }) =>
		allRows(db, `SELECT runner_no, ${column} AS mark FROM ${table}`).flatMap((row) => {
			const runnerNo = numberOf(row, 'runner_no');
			const end = lastSeqNo(runnerNo);
			const mark = seqNo(numberOf(row, 'mark'));
			if (known.has(runnerNo) && mark >= 0 && mark <= end) return [];
			return [`Table ${table}: the mark of runner ${runnerNo} is at ${mark}, and its log ends at ${end}.`];
		}),
	);
}

/** A session's row changes with each of its events: a replica would miss a row with an earlier position. */
export function positionProblems(db: DatabaseSync): string[] {
	const early = allRows(
		db,
		`
		SELECT id FROM sessions JOIN streams ON stream = id
		WHERE position < (SELECT max(position) FROM events WHERE events.stream_no = streams.stream_no) ORDER BY session_no
	`,
	);
	return early.map((row) => `Table sessions: session ${textOf(row, 'id')} changed later than its row says.`);
}

const MARKS = [
	{ table: 'indexed', column: 'position', seqNo: seqNoOf },
	{ table: 'flushed', column: 'seq_no', seqNo: (value: number) => value },
] as const;
