// Reads a session's whole transcript from disk, with those of its subagents.
import type { TranscriptSummary } from '@roost/core/usage/transcript-summary';
import { ok, type Result } from '@roost/protocol/result';
import { readLines, START, siblingTranscripts, subagentTranscripts } from './transcript-files.ts';
import {
	createTranscriptReading,
	readSubagentLine,
	readTranscriptLine,
	summarise,
	type TranscriptReading,
} from './transcript-reading.ts';

/** What was used before `since` is not counted; what the session's other conversations used is. */
type Counting = { since?: number | undefined; nativeIds?: readonly string[] | undefined };

export async function readTranscript(path: string, counting: Counting = {}): Promise<Result<TranscriptSummary>> {
	const reading = await readWhole(path, counting);
	return reading.ok ? ok(summarise(reading.value)) : reading;
}

export async function readWhole(path: string, { since, nativeIds = [] }: Counting = {}): Promise<Result<TranscriptReading>> {
	const reading = createTranscriptReading({ since });
	const main = await readInto(reading, path, readTranscriptLine);
	if (!main.ok) return main;
	await readSubagents(reading, path);
	for (const sibling of siblingTranscripts(path, nativeIds)) {
		const read = await readInto(reading, sibling, readSubagentLine);
		// One that is gone has nothing to say: Claude takes old ones away by itself.
		if (read.ok) await readSubagents(reading, sibling);
		else if (read.error.code !== 'not_found') reading.unreadFiles += 1;
	}
	return ok(reading);
}

async function readSubagents(reading: TranscriptReading, path: string): Promise<void> {
	const subagents = await subagentTranscripts(path);
	if (!subagents.ok) reading.unreadFiles += 1;
	for (const subagent of subagents.ok ? subagents.value : []) {
		const read = await readInto(reading, subagent, readSubagentLine);
		if (!read.ok) reading.unreadFiles += 1;
	}
}

type ReadLine = (reading: TranscriptReading, line: string) => void;

function readInto(reading: TranscriptReading, path: string, readLine: ReadLine): Promise<Result<unknown>> {
	return readLines(path, START, (line) => {
		if (line.type === 'line') readLine(reading, line.text);
		else reading.malformedLines += 1;
	});
}
