// How far a hub has acknowledged each runner's log: one mark per runner, so that the log itself is the outbox.
import type { DatabaseSync } from 'node:sqlite';
import { AppError } from '@roost/protocol/app-error';
import type { RunnerId } from '@roost/protocol/ids';
import { type LogCursor, whyElsewhere } from '@roost/protocol/log-cursor';
import type { LogEntry } from '@roost/protocol/log-entry';
import { err, ok, type Result } from '@roost/protocol/result';
import { createEpochTable } from './epoch-table.ts';
import { createLastSeqNo, createRunnerReader } from './log-reader.ts';
import { numberOf } from './row-values.ts';
import type { OutboxState, UnflushedQuery } from './store.ts';
import { inTransaction } from './transaction.ts';

export function createOutboxTable(db: DatabaseSync) {
	const runnerNo = db.prepare('SELECT runner_no FROM runners WHERE runner = ?');
	const flushed = db.prepare('SELECT seq_no FROM flushed WHERE runner_no = ?');
	const upsert = db.prepare(`
		INSERT INTO flushed (runner_no, seq_no) VALUES (?, ?) ON CONFLICT (runner_no) DO UPDATE SET seq_no = excluded.seq_no
	`);
	const epochs = createEpochTable(db);
	const readRunner = createRunnerReader(db);
	const lastOf = createLastSeqNo(db);

	/** Undefined for a runner without events. */
	function numberOfRunner(runnerId: RunnerId): number | undefined {
		const found = runnerNo.get(runnerId);
		return found === undefined ? undefined : numberOf(found, 'runner_no');
	}

	function stateOf(no: number): OutboxState {
		const markRow = flushed.get(no);
		const lastSeqNo = lastOf(no);
		const flushedSeqNo = markRow === undefined ? 0 : numberOf(markRow, 'seq_no');
		if (flushedSeqNo > lastSeqNo) throw markPastEnd(flushedSeqNo, lastSeqNo);
		return { flushedSeqNo, lastSeqNo };
	}

	return {
		state(runnerId: RunnerId): OutboxState {
			const no = numberOfRunner(runnerId);
			return no === undefined ? NOTHING : stateOf(no);
		},
		unflushed({ runnerId, limit }: UnflushedQuery): LogEntry[] {
			const no = numberOfRunner(runnerId);
			return no === undefined ? [] : readRunner(no, stateOf(no).flushedSeqNo, limit);
		},
		/** When this returns, the mark is on disk. */
		mark: ({ runnerId, epoch, seqNo }: LogCursor): Result<OutboxState> =>
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

/** Never back, and never past the end of the log. */
function advanceMark({ flushedSeqNo, lastSeqNo }: OutboxState, upToSeqNo: number): Result<OutboxState> {
	if (!Number.isSafeInteger(upToSeqNo) || upToSeqNo < 0) {
		return err(new AppError('bad_request', `Acknowledge with a seqNo, a whole number, 0 or greater, not ${upToSeqNo}.`));
	}
	if (upToSeqNo > lastSeqNo) {
		const problem = `Events up to ${upToSeqNo} were acknowledged, but the log ends at ${lastSeqNo}`;
		return err(new AppError('conflict', `${problem}. Check that the hub acknowledges the log of this runner.`));
	}
	return ok({ flushedSeqNo: Math.max(flushedSeqNo, upToSeqNo), lastSeqNo });
}

/** Without this error, the next events would never be sent. */
function markPastEnd(flushedSeqNo: number, lastSeqNo: number): AppError {
	const problem = `Events up to ${flushedSeqNo} are marked as acknowledged, but the log ends at ${lastSeqNo}`;
	return new AppError('corrupt', `${problem}. Run "roost verify", and restore a backup if the log was cut.`);
}
