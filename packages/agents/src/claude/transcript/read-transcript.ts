// Reads a session's transcript from disk, with those of its subagents, into a summary.
import type { TranscriptSummary } from '@roost/core/usage/transcript-summary';
import { AppError } from '@roost/protocol/app-error';
import { err, ok, type Result } from '@roost/protocol/result';
import { subagentTranscripts, transcriptLines } from './transcript-lines.ts';
import {
	createTranscriptReading,
	readSubagentLine,
	readTranscriptLine,
	summarise,
	type TranscriptReading,
} from './transcript-reading.ts';

export async function readTranscript(path: string): Promise<Result<TranscriptSummary>> {
	const reading = await readWhole(path);
	return reading.ok ? ok(summarise(reading.value)) : reading;
}

export async function readWhole(path: string): Promise<Result<TranscriptReading>> {
	const reading = createTranscriptReading();
	const main = await readLines(reading, path, readTranscriptLine);
	if (!main.ok) return main;
	for (const subagent of await subagentsOf(reading, path)) {
		const read = await readLines(reading, subagent, readSubagentLine);
		if (!read.ok) reading.unreadFiles += 1;
	}
	return ok(reading);
}

type ReadLine = (reading: TranscriptReading, line: string) => void;

async function readLines(reading: TranscriptReading, path: string, readLine: ReadLine): Promise<Result<void>> {
	try {
		for await (const line of transcriptLines(path)) {
			if (line.type === 'line') readLine(reading, line.text);
			else reading.malformedLines += 1;
		}
		return ok(undefined);
	} catch (cause) {
		if (cause instanceof AppError) return err(cause);
		throw cause;
	}
}

async function subagentsOf(reading: TranscriptReading, path: string): Promise<string[]> {
	try {
		return await subagentTranscripts(path);
	} catch {
		// The summary says that something is missing; which folder it was would help nobody there.
		reading.unreadFiles += 1;
		return [];
	}
}
