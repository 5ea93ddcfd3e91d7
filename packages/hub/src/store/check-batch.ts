// What a batch must fulfil: its lines are in order, name their own places, and continue the chains of their streams.
import { AppError } from '@roost/protocol/app-error';
import type { StreamId } from '@roost/protocol/ids';
import { type LogName, logTitle } from '@roost/protocol/log-cursor';
import type { LogEntry } from '@roost/protocol/log-entry';
import { genesisHash, nextHash } from '@roost/store/hash-chain';
import { linePlace } from '@roost/store/prepared-append';
import type { PlacedBatch } from './hub-store.ts';

/** The last line of a stream. */
export type Head = { offset: number; hash: string };
export type Heads = ReadonlyMap<StreamId, Head>;

/** Of the batch alone, whatever is stored. */
export function requireOrder({ log, lines, heads }: PlacedBatch): void {
	const [first = { seqNo: 1 }] = lines;
	for (const [at, line] of lines.entries()) {
		if (line.seqNo !== first.seqNo + at || line.seqNo < 1) throw unordered(log);
		if (!heads.has(line.stream)) throw damaged(log, line, 'the batch has no head of its stream');
		if (!line.line.startsWith(`${linePlace(JSON.stringify(line.stream), line.seqNo, line.offset)},`))
			throw damaged(log, line, 'it names another place');
		if (/[\n\0]/.test(line.line) || !line.line.isWellFormed()) throw damaged(log, line, 'it is not one line of text');
	}
}

/** The heads of the streams after the lines; they must lead to those of the batch. */
export function followChains({ log, heads }: PlacedBatch, added: readonly LogEntry[], stored: Heads): Map<StreamId, Head> {
	const after = new Map<StreamId, Head>();
	const last = new Map<StreamId, LogEntry>();
	for (const line of added) {
		const before = after.get(line.stream) ?? stored.get(line.stream) ?? { offset: 0, hash: genesisHash(line.stream) };
		if (line.offset !== before.offset + 1) throw damaged(log, line, `its offset does not follow ${before.offset}`);
		after.set(line.stream, { offset: line.offset, hash: nextHash(before.hash, line.line) });
		last.set(line.stream, line);
	}
	for (const [stream, line] of last) {
		if (after.get(stream)?.hash !== heads.get(stream)) throw damaged(log, line, 'the chain up to it has another hash');
	}
	return after;
}

/** Of streams without new lines; where more lines are stored by now, the head cannot be compared. */
export function requireKnownHeads({ log, lines, heads }: PlacedBatch, stored: Heads): void {
	const last = new Map(lines.map((line) => [line.stream, line]));
	for (const line of last.values()) {
		const head = stored.get(line.stream);
		if (head?.offset === line.offset && head.hash !== heads.get(line.stream))
			throw damaged(log, line, 'the chain up to it has another hash');
	}
}

export function damaged(log: LogName, { seqNo, stream, offset }: Omit<LogEntry, 'line'>, why: string): AppError {
	const line = `The line at seqNo ${seqNo} of ${logTitle(log)} (stream ${stream}, offset ${offset}) was refused: ${why}`;
	return new AppError('corrupt', `${line}. Run "roost verify" on the machine of that runner.`);
}

function unordered(log: LogName): AppError {
	return new AppError('bad_request', `A batch of ${logTitle(log)} is not contiguous by seqNo. Send its lines in order.`);
}
