// Search over the lines of a log, and how far the index of it is. It is filled behind the log and can be made again from it.

import type { StreamId } from '@roost/protocol/ids';
import type { LogName } from '@roost/protocol/log-cursor';
import type { LogEntry } from '@roost/protocol/log-entry';
import { numberOf, type Row, textOf } from '@roost/store/row-values';
import type { HubWords, IndexedText } from './hub-store.ts';
import { type Sql, settle } from './sql.ts';

/** What the databases do differently. */
export type WordIndex = {
	/** With the mark in one transaction; false, and nothing is stored, if the mark is not at `after` or the log has ended. */
	add(logNo: number, slice: { after: number; upTo: number; texts: readonly IndexedText[] }): Promise<boolean>;
	/** Lines with their places, newest first. */
	find(logNo: number, words: string, limit: number): Promise<Row[]>;
};

/** Bytes of lines in memory at once; a single line may be longer. */
const MOST_BYTES = 1_000_000;

export function createHubWords(sql: Sql, index: WordIndex): HubWords {
	async function place({ runnerId, epoch }: LogName): Promise<Place | undefined> {
		const [row] = await sql.all(PLACE, [runnerId, epoch]);
		if (row === undefined) return undefined;
		return { logNo: numberOf(row, 'log_no'), indexed: numberOf(row, 'indexed'), last: numberOf(row, 'last_seq') };
	}

	async function next(log: LogName, limit: number) {
		const found = await place(log);
		if (!found || found.indexed >= found.last) return { after: found?.indexed ?? 0, lines: [] };
		const rows = await sql.all(UNINDEXED, [found.logNo, found.indexed, limit, MOST_BYTES]);
		return { after: found.indexed, lines: rows.map(toEntry) };
	}

	return {
		state: (log) =>
			settle(async () => {
				const { indexed = 0, last = 0 } = (await place(log)) ?? {};
				return { indexed, last };
			}),
		next: (log, limit) => settle(() => next(log, limit)),
		add: (log, slice) =>
			settle(async () => {
				const found = await place(log);
				return found !== undefined && (await index.add(found.logNo, slice));
			}),
		find: (log, { words, limit }) =>
			settle(async () => {
				const found = await place(log);
				return found ? (await index.find(found.logNo, words, limit)).map(toEntry) : [];
			}),
	};
}

type Place = { logNo: number; indexed: number; last: number };

const PLACE = `
	SELECT logs.log_no, last_seq, coalesce(indexed.seq, 0) AS indexed
	FROM runners JOIN logs USING (runner_no) LEFT JOIN indexed ON indexed.log_no = logs.log_no
	WHERE runners.id = $1 AND epoch = $2
`;

/** A line is read if those before it are fewer than the most bytes. */
const UNINDEXED = `
	SELECT seq, off, line, stream FROM (
		SELECT seq, off, stream_no, line, sum(octet_length(line)) OVER (ORDER BY seq) - octet_length(line) AS before
		FROM (SELECT * FROM lines WHERE log_no = $1 AND seq > $2 ORDER BY seq LIMIT $3) AS following
	) AS measured
	JOIN streams USING (stream_no) WHERE before < $4 ORDER BY seq
`;

function toEntry(row: Row): LogEntry {
	return {
		seqNo: numberOf(row, 'seq'),
		offset: numberOf(row, 'off'),
		stream: textOf(row, 'stream') as StreamId,
		line: textOf(row, 'line'),
	};
}
