// Proves that nothing in the log was changed, dropped, reordered, added or cut, a row at a time.
import type { DatabaseSync } from 'node:sqlite';
import { AppError } from '@roost/protocol/app-error';
import type { StreamId } from '@roost/protocol/ids';
import { genesisHash, nextHash } from './hash-chain.ts';
import type { Head, HeadsRecord, HeadsSource } from './heads-file.ts';
import { type RunnerMark, readMarks } from './heads-mark.ts';
import { runnerNoOf, seqNoOf } from './position.ts';
import { linePlace } from './prepared-append.ts';
import { allRows, numberOf, type Row, textOf } from './row-values.ts';
import type { StreamReport, VerifyReport } from './store.ts';
import { inTransaction } from './transaction.ts';

export function verifyLog(db: DatabaseSync, heads: HeadsSource, stream?: StreamId): VerifyReport {
	// Read in the order marks, heads, events: each only grows, so the events cover every head, and the heads every mark.
	const marks = new Map(readMarks(db).map((mark) => [mark.runnerNo, mark]));
	const record = heads.read();
	return inTransaction(db, 'read', () => {
		const proof = { db, record, headsPath: heads.path, marks };
		const streams = stream === undefined ? verifyAll(proof) : [verifyOne(proof, stream)];
		const problems = recordProblems(proof);
		return { streams, problems, intact: problems.length === 0 && streams.every((each) => each.problems.length === 0) };
	});
}

type Proof = {
	db: DatabaseSync;
	record: HeadsRecord | undefined;
	headsPath: string;
	marks: ReadonlyMap<number, RunnerMark>;
};

/** Problems of no single stream. */
function recordProblems({ record, headsPath, marks }: Proof): string[] {
	const notes = (record?.notes ?? []).slice(0, 3).map((note) => `The heads file ${headsPath} reports a cut: ${note}.`);
	const cut = [...marks.values()].filter(({ headed, last }) => headed > last);
	const ends = cut.map(
		({ runner, headed, last }) => `Runner ${runner}: the log ends at seqNo ${last}, and it had reached ${headed}; it was cut.`,
	);
	return [...notes, ...ends];
}

function verifyOne(proof: Proof, stream: StreamId): StreamReport {
	const { db, record, headsPath } = proof;
	const found = db.prepare('SELECT stream_no FROM streams WHERE stream = ?').get(stream);
	const heads = record?.heads.filter((head) => head.stream === stream) ?? [];
	if (found === undefined && heads.length === 0) {
		throw new AppError('not_found', `Stream "${stream}" not found. Run "roost sessions --all" to list sessions.`);
	}
	const report = walkStream(proof, stream, found === undefined ? undefined : numberOf(found, 'stream_no'), heads);
	report.problems.push(...headsFileProblems(record, headsPath, report));
	return report;
}

function verifyAll(proof: Proof): StreamReport[] {
	const { db, record, headsPath } = proof;
	const heads = Map.groupBy(record?.heads ?? [], (head) => head.stream);
	const rows = allRows(db, 'SELECT stream, stream_no FROM streams ORDER BY stream_no');
	const numbers = new Map(rows.map((row) => [textOf(row, 'stream'), numberOf(row, 'stream_no')]));
	const names = new Set([...numbers.keys(), ...heads.keys()]);
	const reports = [...names].map((name) => walkStream(proof, name as StreamId, numbers.get(name), heads.get(name) ?? []));
	for (const report of reports) report.problems.push(...headsFileProblems(record, headsPath, report));
	addSequenceProblems(db, reports);
	return reports;
}

function walkStream(
	{ db, record, marks }: Proof,
	stream: StreamId,
	streamNo: number | undefined,
	heads: readonly Head[],
): StreamReport {
	const report: StreamReport = { stream, events: 0, head: genesisHash(stream), problems: [] };
	const expected = Map.groupBy(heads, (head) => head.offset);
	const rows = db.prepare('SELECT position, offset, event_id, hash, line FROM events WHERE stream_no = ? ORDER BY offset');
	let last = 0;
	let headed = 0;
	for (const row of streamNo === undefined ? [] : rows.iterate(streamNo)) {
		const event = toChainedRow(row);
		const denied = expected.get(event.offset)?.some(({ hash }) => hash !== event.hash) ?? false;
		for (const sentence of eventProblems(report, last, event)) addProblem(report, sentence);
		if (denied) addProblem(report, headSentence(stream, event.offset));
		// Continues from the stored hash, so that a change is reported once and not at every later event.
		report.head = event.hash;
		report.events++;
		last = event.offset;
		const mark = marks.get(event.runnerNo);
		if (mark !== undefined && event.seqNo <= mark.headed) headed = event.offset;
		for (const sentence of runnerProblems(stream, event, mark?.runner)) addProblem(report, sentence);
	}
	const furthest = heads.reduce((offset, head) => Math.max(offset, head.offset), 0);
	if (furthest > last) addProblem(report, cutSentence(stream, last, furthest));
	if (record !== undefined && headed > furthest) addProblem(report, headlessSentence(stream, furthest, headed));
	return report;
}

type ChainedRow = { runnerNo: number; seqNo: number; offset: number; eventId: string; hash: string; line: string };

function toChainedRow(row: Row): ChainedRow {
	return {
		runnerNo: runnerNoOf(numberOf(row, 'position')),
		seqNo: seqNoOf(numberOf(row, 'position')),
		offset: numberOf(row, 'offset'),
		eventId: textOf(row, 'event_id'),
		hash: textOf(row, 'hash'),
		line: textOf(row, 'line'),
	};
}

function eventProblems({ stream, head }: StreamReport, last: number, event: ChainedRow): string[] {
	const at = `Stream ${stream}: the event at offset ${event.offset}`;
	const problems: string[] = [];
	if (event.offset !== last + 1) problems.push(gapSentence(stream, last + 1, event.offset));
	else if (nextHash(head, event.line) !== event.hash) {
		problems.push(`${at} was changed or moved; its hash does not follow from the one before.`);
	}
	if (!event.line.startsWith(`${linePlace(JSON.stringify(stream), event.seqNo, event.offset)},`)) {
		problems.push(`${at} was moved; its line names another place.`);
	}
	if (!event.line.includes(`"event_id":${JSON.stringify(event.eventId)}`)) {
		problems.push(`${at} is filed under an event id that its line does not have.`);
	}
	return problems;
}

/** The runner of the row is not the runner in its line. */
function runnerProblems(stream: string, { offset, line }: ChainedRow, runner: string | undefined): string[] {
	if (runner !== undefined && line.includes(`"runnerId":${JSON.stringify(runner)}`)) return [];
	return [`Stream ${stream}: the event at offset ${offset} is filed under a runner that its line does not have.`];
}

const MOST_PROBLEMS = 20;

function addProblem(report: StreamReport, sentence: string): void {
	if (report.problems.length < MOST_PROBLEMS) report.problems.push(sentence);
	else if (report.problems.length === MOST_PROBLEMS)
		report.problems.push(`Stream ${report.stream}: there are more problems like these.`);
}

function gapSentence(stream: string, expected: number, found: number): string {
	if (found < expected) return `Stream ${stream}: an event was put at offset ${found}, where none can be.`;
	return `Stream ${stream}: the event at offset ${expected} is missing; the next one is at offset ${found}.`;
}

function headSentence(stream: string, offset: number): string {
	return `Stream ${stream}: the hash at offset ${offset} is not the one in the heads file; the log or the heads file was rewritten.`;
}

function cutSentence(stream: string, last: number, recorded: number): string {
	if (last === 0) return `Stream ${stream}: all its events are gone; the heads file knows of offset ${recorded}.`;
	return `Stream ${stream}: the log was cut after offset ${last}; the heads file knows of offset ${recorded}.`;
}

function headlessSentence(stream: string, furthest: number, headed: number): string {
	return `Stream ${stream}: the heads file knows of offset ${furthest} and had known of offset ${headed}; the heads file was cut.`;
}

/** The heads file covers every stream, so its own faults are reported for each. */
function headsFileProblems(record: HeadsRecord | undefined, path: string, { stream, events }: StreamReport): string[] {
	const unproven = `that stream ${stream} was not cut after offset ${events} cannot be proven; restore the heads file of this database.`;
	if (record === undefined) return events === 0 ? [] : [`The heads file ${path} is missing: ${unproven}`];
	const problems = record.unreadable.slice(0, 3).map((line) => `Line ${line} of the heads file ${path} was damaged: ${unproven}`);
	if (record.heldBefore > 0) problems.push(`The heads file ${path} was begun late, at ${record.heldBefore} events: ${unproven}`);
	return problems;
}

/** Every runner counts its events without a gap, whichever streams they went to. */
function addSequenceProblems(db: DatabaseSync, reports: readonly StreamReport[]): void {
	const byStream = new Map(reports.map((report) => [report.stream.toString(), report]));
	const rows = db.prepare('SELECT position, offset, stream FROM events JOIN streams USING (stream_no) ORDER BY position');
	let previous = 0;
	for (const row of rows.iterate()) {
		const position = numberOf(row, 'position');
		const seqNo = seqNoOf(position);
		const before = runnerNoOf(position) === runnerNoOf(previous) ? seqNoOf(previous) : 0;
		previous = position;
		if (seqNo === before + 1) continue;
		const report = byStream.get(textOf(row, 'stream'));
		const missing = seqNo === before + 2 ? `seqNo ${before + 1} is` : `seqNos ${before + 1} to ${seqNo - 1} are`;
		const at = `seqNo ${seqNo} at offset ${numberOf(row, 'offset')}`;
		if (report !== undefined) addProblem(report, `Stream ${report.stream}: ${missing} missing from the log just before ${at}.`);
	}
}
