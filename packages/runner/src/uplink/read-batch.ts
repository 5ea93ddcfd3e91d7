// The next batch of the log: stored lines with the rows that they changed and the heads of their chains, never parsed.
import { AppError } from '@roost/protocol/app-error';
import { type Batch, MOST_BATCH_BYTES, MOST_BATCH_LINES } from '@roost/protocol/hub/link-frames';
import type { RunnerId, StreamId } from '@roost/protocol/ids';
import type { LogEntry } from '@roost/protocol/log-entry';
import { err, ok, type Result } from '@roost/protocol/result';
import type { Store } from '@roost/store/store';

export type ReadBatch = { head: Batch; lines: string[]; last: number };

export type BatchReader = {
	/** Of the lines after one, at most up to another; null where there are none. */
	read(after: number, upTo: number): Result<ReadBatch | null>;
};

export function createBatchReader(store: Pick<Store, 'read' | 'rowsChanged' | 'hashAt'>, runnerId: RunnerId): BatchReader {
	/** Lines that fit, as of the last batch: a page of long lines would be read in vain. */
	let expected = MOST_BATCH_LINES;

	function readHeads(entries: readonly LogEntry[]): Result<{ streams: StreamId[]; heads: string[] }> {
		const lastOf = new Map(entries.map(({ stream, offset }) => [stream, offset]));
		const heads: string[] = [];
		for (const [stream, offset] of lastOf) {
			const hash = store.hashAt(stream, offset);
			if (!hash.ok) return hash;
			heads.push(hash.value ?? '');
		}
		return ok({ streams: [...lastOf.keys()], heads });
	}

	return {
		read(after, upTo) {
			const limit = Math.min(expected, upTo - after);
			const page = store.read({ runnerId, afterSeqNo: after, limit });
			if (!page.ok) return page;
			const entries = takeUpTo(page.value, MOST_BATCH_BYTES);
			expected = Math.min(MOST_BATCH_LINES, entries.length < page.value.length ? entries.length + 1 : 2 * expected);
			const last = entries.at(-1)?.seqNo;
			if (last === undefined) return ok(null);
			if (entries[0]?.seqNo !== after + 1 || last !== after + entries.length) return err(incomplete(after));
			const heads = readHeads(entries);
			if (!heads.ok) return heads;
			const rows = store.rowsChanged({ runnerId, after, upTo: last });
			if (!rows.ok) return rows;
			const { streams } = heads.value;
			const places = entries.map(({ stream, offset }): [number, number] => [streams.indexOf(stream), offset]);
			const head = { first: after + 1, ...heads.value, places, rows: rows.value };
			return ok({ head, lines: entries.map(({ line }) => line), last });
		},
	};
}

/** The first one always: a line may be longer than a batch should be. */
function takeUpTo(entries: readonly LogEntry[], most: number): LogEntry[] {
	let bytes = 0;
	const end = entries.findIndex(({ line }) => {
		bytes += Buffer.byteLength(line) + 1;
		return bytes > most;
	});
	return entries.slice(0, end === -1 ? entries.length : Math.max(1, end));
}

function incomplete(after: number): AppError {
	return new AppError('corrupt', `The record lacks events after seqNo ${after}. Run "roost verify".`);
}
