// Reads a session's transcript from disk, with those of its subagents. The path comes from the agent: trust nothing about it.
import { constants } from 'node:fs';
import { type FileHandle, open, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { TranscriptSummary } from '@roost/core/usage/transcript-summary';
import { AppError } from '@roost/protocol/app-error';
import { err, ok, type Result } from '@roost/protocol/result';
import { splitLines } from './lines.ts';
import {
	createTranscriptReading,
	readSubagentLine,
	readTranscriptLine,
	summarise,
	type TranscriptReading,
} from './transcript-reading.ts';

const MAX_LINE_BYTES = 8 * 1024 * 1024;

export async function readTranscript(path: string): Promise<Result<TranscriptSummary>> {
	const reading = createTranscriptReading();
	const main = await readLines(reading, path, readTranscriptLine);
	if (!main.ok) return main;
	for (const subagent of await subagentTranscripts(reading, path)) {
		const read = await readLines(reading, subagent, readSubagentLine);
		if (!read.ok) reading.unreadFiles += 1;
	}
	return ok(summarise(reading));
}

type ReadLine = (reading: TranscriptReading, line: string) => void;

async function readLines(reading: TranscriptReading, path: string, readLine: ReadLine): Promise<Result<void>> {
	try {
		// Without waiting: a pipe in the file's place would never open.
		await using file = await open(path, constants.O_RDONLY | constants.O_NONBLOCK);
		const stat = await file.stat();
		if (!stat.isFile()) return err(new AppError('unsafe_path', `The transcript ${path} is not a regular file.`));
		for await (const line of splitLines(bytesOf(file, stat.size), MAX_LINE_BYTES)) {
			if (line.type === 'line') readLine(reading, line.text);
			else reading.malformedLines += 1;
		}
		return ok(undefined);
	} catch (cause) {
		return err(toReadError(path, cause));
	}
}

/** Up to the size it had when opened: a file that grows while it is read still ends. */
function bytesOf(file: FileHandle, size: number): AsyncIterable<Uint8Array> {
	return file.createReadStream({ start: 0, end: Math.max(0, size - 1), autoClose: false });
}

/** `<session>.jsonl` keeps its subagents in `<session>/subagents/agent-<id>.jsonl`. */
async function subagentTranscripts(reading: TranscriptReading, path: string): Promise<string[]> {
	if (!path.endsWith('.jsonl')) return [];
	const folder = join(path.slice(0, -'.jsonl'.length), 'subagents');
	try {
		const names = await readdir(folder);
		return names.filter((name) => /^agent-.*\.jsonl$/.test(name)).map((name) => join(folder, name));
	} catch (cause) {
		if (!isMissing(cause)) reading.unreadFiles += 1;
		return [];
	}
}

function toReadError(path: string, cause: unknown): AppError {
	if (isMissing(cause)) return new AppError('not_found', `There is no transcript at ${path}.`, { cause });
	return new AppError('internal', `The transcript ${path} cannot be read: check that it is a file you may read.`, { cause });
}

function isMissing(cause: unknown): boolean {
	return cause instanceof Error && 'code' in cause && (cause.code === 'ENOENT' || cause.code === 'ENOTDIR');
}
