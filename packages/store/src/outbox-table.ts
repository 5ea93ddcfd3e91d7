// How far each runner's log was acknowledged: one mark per runner, so that the log itself is the outbox.
import type { DatabaseSync } from 'node:sqlite';
import { AppError } from '@roost/protocol/app-error';
import type { RunnerId } from '@roost/protocol/ids';
import { type LogCursor, whyElsewhere } from '@roost/protocol/log-cursor';
import type { LogEntry } from '@roost/protocol/log-entry';
import { err, type Result } from '@roost/protocol/result';
import { advanceMark } from './advance-mark.ts';
import { createEpochTable } from './epoch-table.ts';
import { createRunnerReader } from './log-reader.ts';
import { lastPosition, seqNoOf, toPosition } from './position.ts';
import { numberOf } from './row-values.ts';
import type { OutboxState, UnflushedQuery } from './store.ts';
import { inTransaction } from './transaction.ts';

export type OutboxTable = {
	state(runnerId: RunnerId): OutboxState;
	unflushed(query: UnflushedQuery): LogEntry[];
	/** When this returns, the mark is on disk. */
	mark(upTo: LogCursor): Result<OutboxState>;
};

export function createOutboxTable(db: DatabaseSync): OutboxTable {
	const runnerNo = db.prepare('SELECT runner_no FROM runners WHERE runner = ?');
	const last = db.prepare('SELECT position FROM events WHERE position BETWEEN ? AND ? ORDER BY position DESC LIMIT 1');
	const flushed = db.prepare('SELECT seq_no FROM flushed WHERE runner_no = ?');
	const upsert = db.prepare(`
		INSERT INTO flushed (runner_no, seq_no) VALUES (?, ?) ON CONFLICT (runner_no) DO UPDATE SET seq_no = excluded.seq_no
	`);
	const epochs = createEpochTable(db);
	const readRunner = createRunnerReader(db);

	/** Undefined for a runner that has stored nothing yet. */
	function numberOfRunner(runnerId: RunnerId): number | undefined {
		const found = runnerNo.get(runnerId);
		return found === undefined ? undefined : numberOf(found, 'runner_no');
	}

	function stateOf(no: number): OutboxState {
		const lastRow = last.get(toPosition(no, 1), lastPosition(no));
		const markRow = flushed.get(no);
		const lastSeqNo = lastRow === undefined ? 0 : seqNoOf(numberOf(lastRow, 'position'));
		const flushedSeqNo = markRow === undefined ? 0 : numberOf(markRow, 'seq_no');
		if (flushedSeqNo > lastSeqNo) throw markBehindTheEnd(flushedSeqNo, lastSeqNo);
		return { flushedSeqNo, lastSeqNo };
	}

	return {
		state(runnerId) {
			const no = numberOfRunner(runnerId);
			return no === undefined ? NOTHING : stateOf(no);
		},
		unflushed({ runnerId, limit }) {
			const no = numberOfRunner(runnerId);
			return no === undefined ? [] : readRunner(no, stateOf(no).flushedSeqNo, limit);
		},
		mark: ({ runnerId, epoch, seqNo }) =>
			inTransaction(db, 'write', () => {
				const elsewhere = whyElsewhere({ runnerId, epoch }, { runnerId, epoch: epochs.current() });
				if (elsewhere !== undefined) return err(new AppError('conflict', elsewhere));
				const no = numberOfRunner(runnerId);
				const before = no === undefined ? NOTHING : stateOf(no);
				const advanced = advanceMark(before, seqNo);
				const isNew = advanced.ok && advanced.value.flushedSeqNo > before.flushedSeqNo;
				if (isNew && no !== undefined) upsert.run(no, advanced.value.flushedSeqNo);
				return advanced;
			}),
	};
}

const NOTHING: OutboxState = { flushedSeqNo: 0, lastSeqNo: 0 };

/** Left alone, it would keep the next events from being sent, without a word. */
function markBehindTheEnd(flushedSeqNo: number, lastSeqNo: number): AppError {
	const problem = `The database says that events up to ${flushedSeqNo} were acknowledged, but its log ends at ${lastSeqNo}`;
	return new AppError('corrupt', `${problem}; run verify, and restore a backup if the log was cut.`);
}
