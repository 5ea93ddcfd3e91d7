// Compares the search index and the marks of what was indexed, sent and headed with the log they are about.
import type { DatabaseSync, SQLOutputValue } from 'node:sqlite';
import { toEntry } from './log-search.ts';
import { lastPosition, runnerNoOf, seqNoOf, toPosition } from './position.ts';
import { numberOf, textOf } from './row-values.ts';

type Row = Record<string, SQLOutputValue>;

/** Both in the order of the log: entries are added by runner, and each runner's in its own order. */
export function searchProblems(db: DatabaseSync): string[] {
	const problems: string[] = [];
	const indexed = new Map(
		db
			.prepare('SELECT runner_no, position FROM indexed')
			.all()
			.map((row) => [numberOf(row, 'runner_no'), numberOf(row, 'position')]),
	);
	const events = db.prepare('SELECT position, line FROM events WHERE position BETWEEN ? AND ? ORDER BY position');
	if (indexed.size > 1) return countProblems(db, indexed);
	const [[runnerNo, last] = [0, 0]] = [...indexed];
	const entries = db.prepare('SELECT * FROM event_text ORDER BY rowid').iterate();
	for (const row of events.iterate(toPosition(runnerNo, 1), last)) {
		const entry = toEntry(row);
		if (entry === undefined) continue;
		const kept = entries.next().value;
		const place = `${entry.stream} offset ${entry.offset}`;
		if (kept === undefined) problems.push(`Table event_text: the entry of ${place} is missing.`);
		else if (!isEntry(kept, entry))
			problems.push(`Table event_text: the entry of ${place} differs from its event, or is not in its place.`);
		if (problems.length > 0) return problems;
	}
	return entries.next().done ? problems : ['Table event_text: there is an entry that no event explains.'];
}

/** With several runners, entries are in no order that can be told afterwards: their number is compared. */
function countProblems(db: DatabaseSync, indexed: ReadonlyMap<number, number>): string[] {
	const kept = numberOf(db.prepare('SELECT count(*) AS entries FROM event_text').get() ?? {}, 'entries');
	const events = db.prepare('SELECT position, line FROM events ORDER BY position').all();
	const told = events.filter((row) => {
		const position = numberOf(row, 'position');
		return position <= (indexed.get(runnerNoOf(position)) ?? 0) && toEntry(row) !== undefined;
	}).length;
	return kept === told ? [] : [`Table event_text: it has ${kept} entries for ${told} events.`];
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

/** A mark beyond the end of the log stands for events that are gone, or were never there. */
export function markProblems(db: DatabaseSync): string[] {
	const last = db.prepare('SELECT position FROM events WHERE position BETWEEN ? AND ? ORDER BY position DESC LIMIT 1');
	const known = new Set(
		db
			.prepare('SELECT runner_no FROM runners')
			.all()
			.map((row) => numberOf(row, 'runner_no')),
	);
	return MARKS.flatMap(({ table, column, seqNo }) =>
		db
			.prepare(`SELECT runner_no, ${column} AS mark FROM ${table}`)
			.all()
			.flatMap((row) => {
				const runnerNo = numberOf(row, 'runner_no');
				const found = last.get(toPosition(runnerNo, 1), lastPosition(runnerNo));
				const end = found === undefined ? 0 : seqNoOf(numberOf(found, 'position'));
				const mark = seqNo(numberOf(row, 'mark'));
				if (known.has(runnerNo) && mark >= 0 && mark <= end) return [];
				return [`Table ${table}: the mark of runner ${runnerNo} is at ${mark}, and its log ends at ${end}.`];
			}),
	);
}

/** A session's row changes with each of its events: one that names an earlier place would be left out of a replica. */
export function positionProblems(db: DatabaseSync): string[] {
	const early = db.prepare(`
		SELECT id FROM sessions JOIN streams ON stream = id
		WHERE position < (SELECT max(position) FROM events WHERE events.stream_no = streams.stream_no) ORDER BY session_no
	`);
	return early.all().map((row) => `Table sessions: session ${textOf(row, 'id')} changed later than its row says.`);
}

const MARKS = [
	{ table: 'indexed', column: 'position', seqNo: seqNoOf },
	{ table: 'flushed', column: 'seq_no', seqNo: (value: number) => value },
] as const;
