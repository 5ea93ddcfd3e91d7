// Reads a session's whole transcript from disk, with those of its subagents.
import type { TranscriptSummary } from '@roost/core/usage/transcript-summary';
import { ok, type Result } from '@roost/protocol/result';
import { readLines, START, subagentTranscripts } from './transcript-files.ts';
import {
	createTranscriptReading,
	readSubagentLine,
	readTranscriptLine,
	summarise,
	type TranscriptReading,
} from './transcript-reading.ts';

/** `since`: what was used before is not counted. */
export async function readTranscript(path: string, since = 0): Promise<Result<TranscriptSummary>> {
	const reading = await readWhole(path, since);
	return reading.ok ? ok(summarise(reading.value)) : reading;
}

export async function readWhole(path: string, since = 0): Promise<Result<TranscriptReading>> {
	const reading = createTranscriptReading({ since });
	const main = await readInto(reading, path, readTranscriptLine);
	if (!main.ok) return main;
	const subagents = await subagentTranscripts(path);
	if (!subagents.ok) reading.unreadFiles += 1;
	for (const subagent of subagents.ok ? subagents.value : []) {
		const read = await readInto(reading, subagent, readSubagentLine);
		if (!read.ok) reading.unreadFiles += 1;
	}
	return ok(reading);
}

type ReadLine = (reading: TranscriptReading, line: string) => void;

function readInto(reading: TranscriptReading, path: string, readLine: ReadLine): Promise<Result<unknown>> {
	return readLines(path, START, (line) => {
		if (line.type === 'line') readLine(reading, line.text);
		else reading.malformedLines += 1;
	});
}
