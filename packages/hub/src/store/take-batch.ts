// Stores a batch in three steps: read where the log ends, check the chains from there, and write if the log still ends there.
import { AppError } from '@roost/protocol/app-error';
import type { StreamId } from '@roost/protocol/ids';
import { type LogName, logTitle } from '@roost/protocol/log-cursor';
import type { LogEntry } from '@roost/protocol/log-entry';
import { damaged, followChains, type Head, type Heads, requireKnownHeads, requireOrder } from './check-batch.ts';
import type { PlacedBatch, ReplicaEnd, Taken } from './hub-store.ts';
import { type RowColumns, toRowColumns } from './row-columns.ts';

export type LogWriter = {
	/** In one snapshot; undefined unless the log is the current one of its runner. */
	state(log: LogName, streams: readonly StreamId[]): Promise<LogState | undefined>;
	write(lines: CheckedLines): Promise<Written>;
};

/** The heads of those streams that have lines. */
export type LogState = { logNo: number; lastSeqNo: number; heads: Heads };

export type CheckedLines = {
	logNo: number;
	/** The end of the log that the chains were checked against. */
	expected: number;
	lines: readonly LogEntry[];
	/** Of each stream with new lines. */
	heads: ReadonlyMap<StreamId, Head>;
	rows: RowColumns;
};

/**
 * Nothing was stored unless `taken`. `known`: all lines are stored already. `moved`: the log no longer ends where it was expected.
 * `differs`: another line is stored at this seqNo.
 */
export type Written = { outcome: 'taken' | 'known' | 'ended' | 'moved' } | { outcome: 'differs'; seqNo: number };

export function createTake(writer: LogWriter, end: (log: LogName) => Promise<ReplicaEnd>) {
	async function unchanged(log: LogName, isGap: boolean): Promise<Taken> {
		return { ...(await end(log)), isGap, added: [] };
	}

	/** Undefined if another node stored lines in between. */
	async function tryTake(batch: PlacedBatch, first: LogEntry, rows: RowColumns): Promise<Taken | undefined> {
		const { log, lines } = batch;
		const state = await writer.state(log, [...batch.heads.keys()]);
		if (state === undefined) throw notCurrent(log);
		const { logNo, lastSeqNo } = state;
		if (first.seqNo > lastSeqNo + 1) return await unchanged(log, true);
		const added = lines.filter(({ seqNo }) => seqNo > lastSeqNo);
		requireKnownHeads(batch, state.heads);
		const heads = followChains(batch, added, state.heads);
		const written = await writer.write({ logNo, expected: lastSeqNo, lines, heads, rows });
		const last = added.at(-1);
		switch (written.outcome) {
			case 'moved':
				return undefined;
			case 'ended':
				throw notCurrent(log);
			case 'differs':
				throw damaged(log, lines[written.seqNo - first.seqNo] ?? first, 'another line is stored there');
			case 'known':
				return await unchanged(log, false);
			case 'taken':
				return last === undefined ? await unchanged(log, false) : { ...endAt(last, heads), isGap: false, added };
		}
	}

	return async (batch: PlacedBatch): Promise<Taken> => {
		requireOrder(batch);
		const rows = toRowColumns(batch.rows);
		const [first] = batch.lines;
		if (first === undefined) return await unchanged(batch.log, false);
		for (;;) {
			// Repeated at most once per line: in the meantime another node stored at least one.
			const taken = await tryTake(batch, first, rows);
			if (taken !== undefined) return taken;
		}
	};
}

function endAt({ seqNo, stream, offset }: LogEntry, heads: Heads): ReplicaEnd {
	return { lastSeqNo: seqNo, at: { stream, offset, hash: heads.get(stream)?.hash ?? '' } };
}

function notCurrent(log: LogName): AppError {
	return new AppError('conflict', `The log of ${logTitle(log)} is not the current one of that runner. Connect it again.`);
}
