// A frame of a runner, as it arrives: JSON, and behind the head of a batch its stored lines as they were written.
import { parseJson } from '@roost/core/display/parse-json';
import { AppError } from '@roost/protocol/app-error';
import { type Batch, type RunnerFrame, runnerFrame } from '@roost/protocol/hub/link-frames';
import type { StreamId } from '@roost/protocol/ids';
import type { LogName } from '@roost/protocol/log-cursor';
import type { LogEntry } from '@roost/protocol/log-entry';
import { err, ok, type Result } from '@roost/protocol/result';
import type { PlacedBatch } from '../store/hub-store.ts';

export type ReceivedFrame = { head: RunnerFrame; lines: string[] };

/** Undefined for a type that this version does not know, which is ignored. */
export function readRunnerFrame(text: string): Result<ReceivedFrame | undefined> {
	const end = text.indexOf('\n');
	const json = parseJson(end < 0 ? text : text.slice(0, end));
	const parsed = runnerFrame.safeParse(json);
	if (parsed.success) return ok({ head: parsed.data, lines: end < 0 ? [] : text.slice(end + 1).split('\n') });
	return isOfUnknownType(json) ? ok(undefined) : err(new AppError('bad_request', 'A frame is damaged, or has another form.'));
}

const KNOWN: ReadonlySet<unknown> = new Set(runnerFrame.options.map(({ shape }) => shape.type.value));

function isOfUnknownType(json: unknown): boolean {
	return typeof json === 'object' && json !== null && 'type' in json && typeof json.type === 'string' && !KNOWN.has(json.type);
}

/** The lines of a batch with the places that its head gives them. */
export function placeLines(log: LogName, { first, streams, places, heads, rows }: Batch, lines: string[]): Result<PlacedBatch> {
	if (lines.length !== places.length || heads.length !== streams.length) return err(misfit());
	const placed: LogEntry[] = [];
	for (const [at, line] of lines.entries()) {
		const [number, offset] = places[at] ?? [];
		const stream = number === undefined ? undefined : streams[number];
		if (stream === undefined || offset === undefined) return err(misfit());
		placed.push({ seqNo: first + at, stream, offset, line });
	}
	const ends = new Map<StreamId, string>(streams.map((stream, at) => [stream, heads[at] ?? '']));
	return ends.size === streams.length ? ok({ log, lines: placed, heads: ends, rows }) : err(misfit());
}

function misfit(): AppError {
	return new AppError('bad_request', 'A batch does not fit its head: its places, streams or lines differ in number.');
}
