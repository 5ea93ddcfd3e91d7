// Reads where a log ends, and the heads of some of its streams, in one statement and so in one snapshot.
import type { StreamId } from '@roost/protocol/ids';
import type { LogName } from '@roost/protocol/log-cursor';
import { numberOf, textOf } from '@roost/store/row-values';
import type { Head } from './check-batch.ts';
import type { Sql } from './sql.ts';
import type { LogState } from './take-batch.ts';

export function createLogState(sql: Sql) {
	const select = `
		SELECT logs.log_no, last_seq, value AS stream, last_off, head
		FROM runners JOIN logs USING (runner_no)
		CROSS JOIN ${sql.listed('$3')} AS listed
		LEFT JOIN streams ON streams.log_no = logs.log_no AND streams.stream = value
		WHERE runners.id = $1 AND epoch = $2 AND ended_at IS NULL
	`;
	return async ({ runnerId, epoch }: LogName, streams: readonly StreamId[]): Promise<LogState | undefined> => {
		const rows = await sql.all(select, [runnerId, epoch, JSON.stringify(streams)]);
		const [first] = rows;
		if (first === undefined) return undefined;
		const heads = new Map<StreamId, Head>();
		for (const row of rows) {
			if (row.head === null) continue;
			heads.set(textOf(row, 'stream') as StreamId, { offset: numberOf(row, 'last_off'), hash: textOf(row, 'head') });
		}
		return { logNo: numberOf(first, 'log_no'), lastSeqNo: numberOf(first, 'last_seq'), heads };
	};
}
