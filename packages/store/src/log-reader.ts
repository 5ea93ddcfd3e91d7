// The reading side of the log: pages of stored lines, by stream or over all streams, never parsed.
import type { DatabaseSync } from 'node:sqlite';
import type { RunnerId, StreamId } from '@roost/protocol/ids';
import type { LogEntry } from '@roost/protocol/log-entry';
import { lastPosition, seqNoOf, toPosition } from './position.ts';
import { numberOf, type Row, textOf } from './row-values.ts';
import type { ReadQuery } from './store.ts';

/** Reads the lines that a query asks for. */
export function createLogReader(db: DatabaseSync): (query: ReadQuery) => LogEntry[] {
	const streamNo = db.prepare('SELECT stream_no FROM streams WHERE stream = ?');
	const runners = db.prepare('SELECT runner_no FROM runners WHERE :runner IS NULL OR runner = :runner ORDER BY runner_no');
	const ofStream = db.prepare(
		'SELECT position, offset, line FROM events WHERE stream_no = ? AND offset > ? ORDER BY offset LIMIT ?',
	);
	const readRunner = createRunnerReader(db);

	function readStream(stream: StreamId, after: number, limit: number): LogEntry[] {
		const found = streamNo.get(stream);
		if (found === undefined) return [];
		return ofStream.all(numberOf(found, 'stream_no'), after, limit).map((row) => toEntry(row, stream));
	}

	function readAll(after: number, limit: number, runner?: RunnerId): LogEntry[] {
		const pages = runners.all({ runner: runner ?? null }).map((row) => readRunner(numberOf(row, 'runner_no'), after, limit));
		return pages.length === 1 ? (pages[0] ?? []) : mergeBySeqNo(pages, limit);
	}

	return (query) =>
		'stream' in query
			? readStream(query.stream, query.after, query.limit)
			: readAll(query.afterSeqNo, query.limit, query.runnerId);
}

/** The last offset of a stream; 0 if it has no events. */
export function createLastOffset(db: DatabaseSync): (stream: StreamId) => number {
	const last = db.prepare(`
		SELECT offset FROM events WHERE stream_no = (SELECT stream_no FROM streams WHERE stream = ?) ORDER BY offset DESC LIMIT 1
	`);
	return (stream) => {
		const found = last.get(stream);
		return found === undefined ? 0 : numberOf(found, 'offset');
	};
}

/** The stored hash of one line. */
export function createHashReader(db: DatabaseSync): (stream: StreamId, offset: number) => string | undefined {
	const select = db.prepare(
		'SELECT hash FROM events WHERE stream_no = (SELECT stream_no FROM streams WHERE stream = ?) AND offset = ?',
	);
	return (stream, offset) => {
		const found = select.get(stream, offset);
		return found === undefined ? undefined : textOf(found, 'hash');
	};
}

/** The last seqNo of a runner; 0 before its first event. */
export function createLastSeqNo(db: DatabaseSync): (runnerNo: number) => number {
	const last = db.prepare('SELECT position FROM events WHERE position BETWEEN ? AND ? ORDER BY position DESC LIMIT 1');
	return (no) => {
		const found = last.get(toPosition(no, 1), lastPosition(no));
		return found === undefined ? 0 : seqNoOf(numberOf(found, 'position'));
	};
}

/** The lines of one runner, by seqNo. */
export function createRunnerReader(db: DatabaseSync): (runnerNo: number, afterSeqNo: number, limit: number) => LogEntry[] {
	const ofRunner = db.prepare(`
		SELECT position, offset, line, stream FROM events JOIN streams USING (stream_no)
		WHERE position > ? AND position <= ? ORDER BY position LIMIT ?
	`);
	return (no, after, limit) =>
		ofRunner.all(toPosition(no, after), lastPosition(no), limit).map((row) => toEntry(row, textOf(row, 'stream') as StreamId));
}

/** Runners may share a seqNo: such a group is never split, or the next page would start after it. */
export function mergeBySeqNo(pages: readonly LogEntry[][], limit: number): LogEntry[] {
	const all = pages.flat().sort((a, b) => a.seqNo - b.seqNo);
	const last = all[limit - 1];
	return last === undefined ? all.slice(0, limit) : all.filter(({ seqNo }) => seqNo <= last.seqNo);
}

function toEntry(row: Row, stream: StreamId): LogEntry {
	return {
		seqNo: seqNoOf(numberOf(row, 'position')),
		offset: numberOf(row, 'offset'),
		stream,
		line: textOf(row, 'line'),
	};
}
