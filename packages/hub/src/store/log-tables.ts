// The logs of the runners: one for each epoch. Only the newest of a runner takes lines; the ones before stay readable.
import { AppError } from '@roost/protocol/app-error';
import type { StreamId } from '@roost/protocol/ids';
import { type LogName, logTitle } from '@roost/protocol/log-cursor';
import { queryFault } from '@roost/store/refusals';
import { numberOf, textOf } from '@roost/store/row-values';
import type { HubLogs, PageQuery, ReplicaEnd } from './hub-store.ts';
import { type Sql, type SqlStatements, type SqlValue, settle } from './sql.ts';
import { createTake, type LogWriter } from './take-batch.ts';

export function createHubLogs(sql: Sql, writer: LogWriter): HubLogs {
	const end = (log: LogName) => readEnd(sql, log);
	const take = createTake(writer, end);
	return {
		take: (batch) => settle(() => take(batch)),
		end: (log) => settle(() => end(log)),
		current: (runnerId) =>
			settle(async () => {
				const [row] = await sql.all(`${LOGS} WHERE id = $1 AND ended_at IS NULL`, [runnerId]);
				return row === undefined ? undefined : { runnerId, epoch: numberOf(row, 'epoch') };
			}),
		openEpoch: (log, why, at) => settle(() => sql.transaction((inside) => openEpoch(inside, log, why, at))),
		read: async (log, query) => queryFault(query) ?? (await settle(() => readPage(sql, log, query))),
		lastOffset: (log, stream) =>
			settle(async () => {
				const [row] = await sql.all(`SELECT last_off FROM streams WHERE ${STREAM}`, [log.runnerId, log.epoch, stream]);
				return row === undefined ? 0 : numberOf(row, 'last_off');
			}),
	};
}

const LOGS = 'SELECT log_no, epoch, last_seq FROM logs JOIN runners USING (runner_no)';
/** Conditions with `$1` for the runner, `$2` for the epoch and `$3` for the stream. */
const LOG = 'log_no = (SELECT log_no FROM logs JOIN runners USING (runner_no) WHERE id = $1 AND epoch = $2)';
const STREAM = `${LOG} AND stream = $3`;

async function readEnd(sql: Sql, { runnerId, epoch }: LogName): Promise<ReplicaEnd> {
	const [row] = await sql.all(
		`
		SELECT last_seq, stream, last_off, head FROM logs JOIN runners USING (runner_no)
		JOIN lines ON lines.log_no = logs.log_no AND seq = last_seq JOIN streams USING (stream_no)
		WHERE id = $1 AND epoch = $2
		`,
		[runnerId, epoch],
	);
	if (row === undefined) return { lastSeqNo: 0, at: null };
	// The last line of the log is also the last one of its stream.
	const at = { stream: textOf(row, 'stream') as StreamId, offset: numberOf(row, 'last_off'), hash: textOf(row, 'head') };
	return { lastSeqNo: numberOf(row, 'last_seq'), at };
}

async function readPage(sql: Sql, { runnerId, epoch }: LogName, query: PageQuery) {
	const isStream = 'stream' in query;
	const select = isStream
		? `SELECT seq, off, line FROM lines WHERE stream_no = (SELECT stream_no FROM streams WHERE ${STREAM}) AND off > $4 ORDER BY off LIMIT $5`
		: `SELECT seq, off, line, stream FROM lines JOIN streams USING (stream_no) WHERE lines.${LOG} AND seq > $3 ORDER BY seq LIMIT $4`;
	const place: SqlValue[] = isStream ? [query.stream, query.after] : [query.afterSeqNo];
	const rows = await sql.all(select, [runnerId, epoch, ...place, query.limit]);
	return rows.map((row) => ({
		seqNo: numberOf(row, 'seq'),
		offset: numberOf(row, 'off'),
		stream: isStream ? query.stream : (textOf(row, 'stream') as StreamId),
		line: textOf(row, 'line'),
	}));
}

async function openEpoch(sql: SqlStatements, log: LogName, why: string, at: number): Promise<void> {
	const { runnerId, epoch } = log;
	// Also locks the runner, so that two connections of it open one epoch after the other.
	const [runner] = await sql.all('UPDATE runners SET last_seen_at = $2 WHERE id = $1 RETURNING runner_no', [runnerId, at]);
	if (runner === undefined) throw notPaired(runnerId);
	const runnerNo = numberOf(runner, 'runner_no');
	const [current] = await sql.all('SELECT epoch FROM logs WHERE runner_no = $1 AND ended_at IS NULL', [runnerNo]);
	const known = current === undefined ? 0 : numberOf(current, 'epoch');
	if (epoch < known) throw endedEpoch(log, known);
	if (epoch === known) return;
	// Waits for batches that are being stored; later ones are refused.
	await sql.run('UPDATE logs SET ended_at = $2 WHERE runner_no = $1 AND ended_at IS NULL', [runnerNo, at]);
	await sql.run('INSERT INTO logs (runner_no, epoch, last_seq, opened_at, why) VALUES ($1, $2, 0, $3, $4)', [
		runnerNo,
		epoch,
		at,
		why,
	]);
	for (const table of ['sessions', 'asks', 'queues', 'usage_days'])
		await sql.run(`DELETE FROM ${table} WHERE runner_no = $1`, [runnerNo]);
}

export function notPaired(runner: string): AppError {
	return new AppError('not_found', `Runner ${runner} is not paired with this hub. Run "roost join" on its machine.`);
}

function endedEpoch(log: LogName, current: number): AppError {
	return new AppError('conflict', `The log of ${logTitle(log)} ended; the current epoch is ${current}. Open a newer one.`);
}
