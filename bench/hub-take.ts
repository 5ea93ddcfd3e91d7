// The floor of everything that a hub stores in Postgres: the call of its function, without checks and without reading the end first.
import type { LogWriter } from '@roost/hub/store/take-batch';
import type { LogName } from '@roost/protocol/log-cursor';
import type { ChainedLine } from '@roost/testkit/rigs/hub/sample-log';

/** The state of a log is read with one of its streams. */
export async function logNumber(writer: LogWriter, log: LogName): Promise<number> {
	const state = await writer.state(log, ['s' as never]);
	if (!state) throw new Error('the log is not open');
	return state.logNo;
}

export async function takeBare(writer: LogWriter, logNo: number, lines: readonly ChainedLine[]): Promise<void> {
	const heads = new Map(lines.map(({ stream, offset, hash }) => [stream, { offset, hash }]));
	const rows = { sessions: [], asks: [], queues: [], usage: [] };
	const written = await writer.write({ logNo, expected: (lines[0]?.seqNo ?? 1) - 1, lines, heads, rows });
	if (written.outcome !== 'taken') throw new Error(`the bare call returned ${written.outcome}`);
}
