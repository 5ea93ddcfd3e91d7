// Stored lines of one stream, a few at a time: a page never holds more of a long session in memory than it needs.
import { parseJson } from '@roost/core/display/parse-json';
import { AppError } from '@roost/protocol/app-error';
import type { StreamId } from '@roost/protocol/ids';
import type { LogEntry } from '@roost/protocol/log-entry';
import { err, ok, type Result } from '@roost/protocol/result';
import type { StoredLine } from '@roost/protocol/stored-line';
import { tolerantLine } from '@roost/protocol/tolerant-line';
import type { StoredLog } from '../operations/backend.ts';
import { createTurn } from '../operations/time-slices.ts';

/** A line may be megabytes long. */
const CHUNK = 32;

/** Offsets, both included. */
export type Range = { first: number; last: number };

export type ReadLines = {
	log: Pick<StoredLog, 'read'>;
	stream: StreamId;
	range: Range;
	/** From the newest to the oldest, by chunk; within a chunk always from the oldest. */
	backwards?: boolean;
};

export type ParsedEntry = { line: StoredLine; bytes: number };

/** Each chunk as it is read, until the consumer stops; a failure is the last one. */
export async function* readLines({ log, stream, range, backwards = false }: ReadLines): AsyncGenerator<Result<ParsedEntry[]>> {
	const turn = createTurn();
	let { first, last } = range;
	while (first <= last) {
		const from = backwards ? Math.max(first, last - CHUNK + 1) : first;
		const limit = Math.min(CHUNK, last - from + 1);
		const read = await log.read({ stream, after: from - 1, limit });
		if (!read.ok) return yield read;
		if (read.value.length < limit) return yield err(unreadable(stream, from + read.value.length));
		const chunk: ParsedEntry[] = [];
		for (const entry of read.value) {
			const parsed = parseEntry(entry);
			if (!parsed.ok) return yield parsed;
			chunk.push(parsed.value);
			await turn();
		}
		yield ok(chunk);
		if (backwards) last = from - 1;
		else first = from + limit;
	}
}

function parseEntry({ line, stream, offset }: LogEntry): Result<ParsedEntry> {
	const parsed = tolerantLine.safeParse(parseJson(line));
	return parsed.success ? ok({ line: parsed.data, bytes: Buffer.byteLength(line) }) : err(unreadable(stream, offset));
}

function unreadable(stream: StreamId, offset: number): AppError {
	return new AppError('corrupt', `Event ${offset} of ${stream} cannot be read. Run "roost verify".`);
}
