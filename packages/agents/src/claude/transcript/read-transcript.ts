// Reads the transcripts of a session and its subagents: for its summary, for lists, and for usage while it runs.
import type { Fact } from '@roost/core/feed/mapper';
import { createUsageTally, tallyMessage, totalUsage, toUsageByModel, type UsageTally } from '@roost/core/usage/tally';
import type { Frame } from '@roost/machine/lines';
import { ok, type Result } from '@roost/protocol/result';
import { type Place, readLines, START, siblingTranscripts, subagentTranscripts } from '../../base/transcript-files.ts';
import {
	type PastTranscript,
	type Summarise,
	type TranscriptUsage,
	toTranscriptSummary,
	toUsageFact,
} from '../../base/transcripts.ts';
import { type Answer, parseTranscriptLine, type TranscriptLine } from './transcript-line.ts';

/** Usage before `since` does not count; that of the session's other conversations does. */
type Counting = { since?: number | undefined; nativeIds?: readonly string[] | undefined };

export async function readTranscript(path: string, counting: Counting = {}): Promise<Result<TranscriptSummary>> {
	const reading = await readWhole(path, counting);
	return reading.ok ? ok(summarise(reading.value)) : reading;
}

/** What hooks do not report: message counts and usage. */
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

async function readWhole(path: string, { since, nativeIds = [] }: Counting = {}): Promise<Result<TranscriptReading>> {
	const reading = createTranscriptReading({ since });
	const main = await readInto(reading, path, readTranscriptLine);
	if (!main.ok) return main;
	await readSubagents(reading, path);
	for (const sibling of siblingTranscripts(path, nativeIds)) {
		const read = await readInto(reading, sibling, readSubagentLine);
		// Claude deletes old ones.
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

/** Null for a file without messages, such as a file of another kind. */
export async function parseTranscript(path: string) {
	const reading = await readWhole(path);
	if (!reading.ok || reading.value.messages === 0) return null;
	return toTranscriptSummary(reading.value.model ?? '', toUsageByModel(reading.value.tally));
}

/** Lines of one message are close together, and a runner follows many sessions. */
const REMEMBERED_MESSAGES = 1_000;

export function createTranscriptUsage(path: string, since = 0): TranscriptUsage {
	const reading = createTranscriptReading({ tally: createUsageTally(REMEMBERED_MESSAGES), since });
	const places = new Map<string, Place>();

	function takeLine(line: Frame, isEnded: boolean): void {
		if (line.type === 'line' && isEnded) readSubagentLine(reading, line.text);
	}

	async function readOn(file: string): Promise<Result<unknown>> {
		const read = await readLines(file, places.get(file) ?? START, takeLine);
		if (read.ok) places.set(file, read.value);
		return read;
	}

	return {
		async read(nativeIds = []) {
			const main = await readOn(path);
			if (!main.ok) return main;
			// What cannot be read is missing in the sum; the session's end reports it.
			for (const transcript of [path, ...siblingTranscripts(path, nativeIds)]) {
				if (transcript !== path) await readOn(transcript);
				const subagents = await subagentTranscripts(transcript);
				for (const subagent of subagents.ok ? subagents.value : []) await readOn(subagent);
			}
			return ok(toUsageByModel(reading.tally));
		},
	};
}

/** Beyond this the oldest are forgotten, and a repeat would count again. */
const MAX_REMEMBERED_IDS = 100_000;

type TranscriptReading = {
	lastAssistantText?: string;
	lastAssistantAt?: number;
	error?: string;
	model?: string;
	messages: number;
	toolCalls: number;
	titles: { user?: string; agent?: string; prompt?: string };
	startedAt?: number;
	lastAt?: number;
	tally: UsageTally;
	/** Earlier messages do not count. */
	readonly since: number;
	seen: Set<string>;
};

export function createTranscriptReading({ tally = createUsageTally(), since = 0 } = {}): TranscriptReading {
	return { messages: 0, toolCalls: 0, titles: {}, tally, since, seen: new Set() };
}

export function readTranscriptLine(reading: TranscriptReading, line: string): void {
	const parsed = tallyLine(reading, line);
	if (parsed === null) return;
	noteTime(reading, parsed.type === 'title' ? undefined : parsed.at);
	if (parsed.type === 'title') reading.titles[parsed.by] = parsed.title;
	if (parsed.sidechain) return;
	if (parsed.type === 'answer' && parsed.isCounted) noteAnswer(reading, parsed);
	if (parsed.type !== 'prompt') return;
	if (parsed.text.trim() !== '') reading.titles.prompt ??= parsed.text;
	if (isNew(reading, 'prompt', parsed.id)) reading.messages += 1;
}

/** Only its usage counts. */
export function readSubagentLine(reading: TranscriptReading, line: string): void {
	tallyLine(reading, line);
}

type TranscriptSummary = ReturnType<typeof summarise>;

/** Usage includes subagents. */
export function summarise({ lastAssistantText, lastAssistantAt, messages, toolCalls, error, tally }: TranscriptReading) {
	return { lastAssistantText, lastAssistantAt, messages, toolCalls, error, usage: toUsageByModel(tally) };
}

function noteTime(reading: TranscriptReading, at: number | undefined): void {
	if (at === undefined) return;
	reading.startedAt ??= at;
	reading.lastAt = Math.max(reading.lastAt ?? at, at);
}

function tallyLine(reading: TranscriptReading, line: string): TranscriptLine | null {
	if (line.trim() === '') return null;
	const parsed = parseTranscriptLine(line);
	if (parsed?.type === 'answer') {
		const { messageId, model, usage, at = reading.since } = parsed;
		const isCounted = model !== undefined && usage !== undefined && at >= reading.since;
		if (isCounted) tallyMessage(reading.tally, { messageId, model, usage });
	}
	return parsed;
}

function noteAnswer(reading: TranscriptReading, answer: Answer): void {
	if (answer.isApiError) {
		reading.error = answer.text;
		return;
	}
	reading.error = undefined;
	reading.model = answer.model ?? reading.model;
	if (isNew(reading, 'answer', answer.messageId)) reading.messages += 1;
	for (const block of answer.blocks) if (block.type === 'tool_use' && isNew(reading, 'call', block.id)) reading.toolCalls += 1;
	if (answer.text === '') return;
	reading.lastAssistantText = answer.text;
	reading.lastAssistantAt = answer.at;
}

/** Items without an id always count. */
function isNew(reading: TranscriptReading, kind: 'prompt' | 'answer' | 'call', id: string | undefined): boolean {
	if (id === undefined) return true;
	const key = `${kind} ${id}`;
	if (reading.seen.has(key)) return false;
	reading.seen.add(key);
	if (reading.seen.size > MAX_REMEMBERED_IDS) {
		const oldest = reading.seen.values().next();
		if (!oldest.done) reading.seen.delete(oldest.value);
	}
	return true;
}
