// A session's whole transcript, with those of its subagents: read from disk, and what it says at an end and in a list.
import type { Fact } from '@roost/core/feed/mapper';
import { totalUsage, toUsageByModel } from '@roost/core/usage/tally';
import { ok, type Result } from '@roost/protocol/result';
import { readLines, START, siblingTranscripts, subagentTranscripts } from '../../base/transcript-files.ts';
import { type PastTranscript, type Summarise, toUsageFact } from '../../base/transcripts.ts';
import {
	createTranscriptReading,
	readSubagentLine,
	readTranscriptLine,
	summarise,
	type TranscriptReading,
	type TranscriptSummary,
} from './transcript-reading.ts';

/** What was used before `since` is not counted; what the session's other conversations used is. */
type Counting = { since?: number | undefined; nativeIds?: readonly string[] | undefined };

export async function readTranscript(path: string, counting: Counting = {}): Promise<Result<TranscriptSummary>> {
	const reading = await readWhole(path, counting);
	return reading.ok ? ok(summarise(reading.value)) : reading;
}

/** What the hooks did not say: how much was said, and what it cost. */
export const summariseClaude: Summarise = async ({ path, ...counting }) => {
	const reading = await readTranscript(path, counting);
	if (!reading.ok) return [{ kind: 'session.summary', data: { messages: 0, tool_calls: 0, error: reading.error.message } }];
	const { lastAssistantText, lastAssistantAt, messages, toolCalls, error, usage } = reading.value;
	const summary: Fact = {
		kind: 'session.summary',
		data: { last_assistant_text: lastAssistantText, last_assistant_at: lastAssistantAt, messages, tool_calls: toolCalls, error },
	};
	return Object.keys(usage).length > 0 ? [summary, toUsageFact(usage)] : [summary];
};

/** What a list says of a past session. */
export async function readPastSession(path: string): Promise<Result<PastTranscript>> {
	const read = await readWhole(path);
	if (!read.ok) return read;
	const { titles, messages, toolCalls, tally, startedAt, lastAt } = read.value;
	return ok({
		title: titles.user ?? titles.agent ?? titles.prompt ?? '',
		messages,
		toolCalls,
		tokens: totalUsage(toUsageByModel(tally)),
		...(startedAt === undefined ? {} : { startedAt }),
		...(lastAt === undefined ? {} : { lastActivity: lastAt }),
	});
}

export async function readWhole(path: string, { since, nativeIds = [] }: Counting = {}): Promise<Result<TranscriptReading>> {
	const reading = createTranscriptReading({ since });
	const main = await readInto(reading, path, readTranscriptLine);
	if (!main.ok) return main;
	await readSubagents(reading, path);
	for (const sibling of siblingTranscripts(path, nativeIds)) {
		const read = await readInto(reading, sibling, readSubagentLine);
		// Claude takes old ones away by itself.
		if (read.ok) await readSubagents(reading, sibling);
	}
	return ok(reading);
}

async function readSubagents(reading: TranscriptReading, path: string): Promise<void> {
	const subagents = await subagentTranscripts(path);
	for (const subagent of subagents.ok ? subagents.value : []) await readInto(reading, subagent, readSubagentLine);
}

type ReadLine = (reading: TranscriptReading, line: string) => void;

function readInto(reading: TranscriptReading, path: string, readLine: ReadLine): Promise<Result<unknown>> {
	return readLines(path, START, (line) => {
		if (line.type === 'line') readLine(reading, line.text);
	});
}
