// Logs of other runners, for a hub: lines arrive with their places and hashes, and only lines that continue a log are stored.
import type { DatabaseSync } from 'node:sqlite';
import { AppError } from '@roost/protocol/app-error';
import type { StreamId } from '@roost/protocol/ids';
import { type LogName, logTitle } from '@roost/protocol/log-cursor';
import type { LogEntry } from '@roost/protocol/log-entry';
import type { Result } from '@roost/protocol/result';
import { genesisHash, nextHash } from './hash-chain.ts';
import { linePlace } from './prepared-append.ts';
import { numberOf, type Row, textOf } from './row-values.ts';
import { attempt } from './store-error.ts';
import { inTransaction } from './transaction.ts';

export type ReplicaLog = {
	/**
	 * All lines of a batch or none; resolves when they are on disk. Known lines are skipped. A gap before the first line is a
	 * `conflict`; a line that differs from the stored one, or whose hash does not follow, is `corrupt`.
	 */
	ingest(batch: ReplicaBatch): Promise<Result<ReplicaEnd>>;
	/** The last stored line of a log. */
	end(log: LogName): Promise<Result<ReplicaEnd>>;
	/** By seqNo, with the bytes as received. */
	read(query: { log: LogName; after: number; limit: number }): Promise<Result<LogEntry[]>>;
};

/** Contiguous by seqNo. */
export type ReplicaBatch = { log: LogName; lines: readonly PlacedLine[] };

/** A stored line with its place, and the hash of its stream's chain up to it. */
export type PlacedLine = LogEntry & { hash: string };

/** The last stored line; 0 and null for an empty log. */
export type ReplicaEnd = { lastSeqNo: number; at: Pick<PlacedLine, 'stream' | 'offset' | 'hash'> | null };

export const REPLICA_TABLES = `
	CREATE TABLE IF NOT EXISTS replica_logs (
		log_no INTEGER PRIMARY KEY,
		runner TEXT NOT NULL,
		epoch INTEGER NOT NULL,
		UNIQUE (runner, epoch)
	) STRICT;
	CREATE TABLE IF NOT EXISTS replica_streams (
		stream_no INTEGER PRIMARY KEY,
		log_no INTEGER NOT NULL,
		stream TEXT NOT NULL,
		UNIQUE (log_no, stream)
	) STRICT;
	CREATE TABLE IF NOT EXISTS replica_lines (
		log_no INTEGER NOT NULL,
		seq_no INTEGER NOT NULL,
		stream_no INTEGER NOT NULL,
		offset INTEGER NOT NULL,
		hash TEXT NOT NULL,
		line TEXT NOT NULL,
		PRIMARY KEY (log_no, seq_no),
		UNIQUE (stream_no, offset)
	) STRICT;
`;

/** `path` is named in errors. */
export function createReplicaLog(db: DatabaseSync, path: string): ReplicaLog {
	const numbers = createNumbers(db);
	const newest = db.prepare(`
		SELECT seq_no, stream, offset, hash FROM replica_lines JOIN replica_streams USING (stream_no)
		WHERE replica_lines.log_no = ? ORDER BY seq_no DESC LIMIT 1
	`);
	const known = db.prepare(`
		SELECT 1 FROM replica_lines JOIN replica_streams USING (stream_no)
		WHERE replica_lines.log_no = ? AND seq_no = ? AND stream = ? AND offset = ? AND hash = ? AND line = ?
	`);
	const headOf = db.prepare('SELECT offset, hash FROM replica_lines WHERE stream_no = ? ORDER BY offset DESC LIMIT 1');
	const insert = db.prepare(
		'INSERT INTO replica_lines (log_no, seq_no, stream_no, offset, hash, line) VALUES (?, ?, ?, ?, ?, ?)',
	);
	const page = db.prepare(`
		SELECT seq_no, stream, offset, line FROM replica_lines JOIN replica_streams USING (stream_no)
		WHERE replica_lines.log_no = ? AND seq_no > ? ORDER BY seq_no LIMIT ?
	`);

	function endOf(logNo: number | undefined): ReplicaEnd {
		const row = logNo === undefined ? undefined : newest.get(logNo);
		if (row === undefined) return { lastSeqNo: 0, at: null };
		const at = { stream: textOf(row, 'stream') as StreamId, offset: numberOf(row, 'offset'), hash: textOf(row, 'hash') };
		return { lastSeqNo: numberOf(row, 'seq_no'), at };
	}

	function take({ log, lines }: ReplicaBatch): ReplicaEnd {
		const logNo = numbers.ofLog(log);
		let { lastSeqNo } = endOf(logNo);
		for (const [at, line] of lines.entries()) {
			if (line.seqNo !== (lines[0]?.seqNo ?? 0) + at || line.seqNo < 1) throw unordered(log);
			if (line.seqNo > lastSeqNo + 1) throw gap(log, lastSeqNo, line.seqNo);
			if (line.seqNo > lastSeqNo) add(log, logNo, line);
			else if (!isKnown(logNo, line)) throw damaged(log, line, 'another line is stored there');
			lastSeqNo = Math.max(lastSeqNo, line.seqNo);
		}
		return endOf(logNo);
	}

	function isKnown(logNo: number, { seqNo, stream, offset, hash, line }: PlacedLine): boolean {
		return known.get(logNo, seqNo, stream, offset, hash, line) !== undefined;
	}

	function add(log: LogName, logNo: number, line: PlacedLine): void {
		const streamNo = numbers.ofStream(logNo, line.stream);
		const head = headOf.get(streamNo);
		const last = head === undefined ? 0 : numberOf(head, 'offset');
		const before = head === undefined ? genesisHash(line.stream) : textOf(head, 'hash');
		if (line.offset !== last + 1) throw damaged(log, line, `its offset does not follow ${last}`);
		if (nextHash(before, line.line) !== line.hash) throw damaged(log, line, 'its hash does not follow from the one before');
		if (!line.line.startsWith(`${linePlace(JSON.stringify(line.stream), line.seqNo, line.offset)},`))
			throw damaged(log, line, 'it names another place');
		insert.run(logNo, line.seqNo, streamNo, line.offset, line.hash, line.line);
	}

	return {
		ingest: async (batch) => attempt(path, () => inTransaction(db, 'write', () => take(batch))),
		end: async (log) => attempt(path, () => endOf(numbers.findLog(log))),
		read: async ({ log, after, limit }) =>
			attempt(path, () => {
				const logNo = numbers.findLog(log);
				return logNo === undefined ? [] : page.all(logNo, after, limit).map(toEntry);
			}),
	};
}

/** Small numbers for logs and their streams. */
function createNumbers(db: DatabaseSync) {
	const findLog = db.prepare('SELECT log_no FROM replica_logs WHERE runner = ? AND epoch = ?');
	const addLog = db.prepare('INSERT OR IGNORE INTO replica_logs (runner, epoch) VALUES (?, ?)');
	const findStream = db.prepare('SELECT stream_no FROM replica_streams WHERE log_no = ? AND stream = ?');
	const addStream = db.prepare('INSERT OR IGNORE INTO replica_streams (log_no, stream) VALUES (?, ?)');
	return {
		findLog({ runnerId, epoch }: LogName): number | undefined {
			const row = findLog.get(runnerId, epoch);
			return row === undefined ? undefined : numberOf(row, 'log_no');
		},
		ofLog({ runnerId, epoch }: LogName): number {
			addLog.run(runnerId, epoch);
			return numberOf(findLog.get(runnerId, epoch) ?? {}, 'log_no');
		},
		ofStream(logNo: number, stream: StreamId): number {
			addStream.run(logNo, stream);
			return numberOf(findStream.get(logNo, stream) ?? {}, 'stream_no');
		},
	};
}

function toEntry(row: Row): LogEntry {
	return {
		seqNo: numberOf(row, 'seq_no'),
		stream: textOf(row, 'stream') as StreamId,
		offset: numberOf(row, 'offset'),
		line: textOf(row, 'line'),
	};
}

function unordered(log: LogName): AppError {
	return new AppError('bad_request', `A batch of ${logTitle(log)} is not contiguous by seqNo. Send its lines in order.`);
}

function gap(log: LogName, last: number, first: number): AppError {
	const problem = `The log of ${logTitle(log)} is stored up to seqNo ${last}, but the batch starts at ${first}`;
	return new AppError('conflict', `${problem}. Send again from ${last + 1}.`);
}

function damaged(log: LogName, { seqNo, stream, offset }: PlacedLine, why: string): AppError {
	const line = `The line at seqNo ${seqNo} of ${logTitle(log)} (stream ${stream}, offset ${offset}) was refused: ${why}`;
	return new AppError('corrupt', `${line}. Run "roost verify" on the machine of that runner.`);
}
