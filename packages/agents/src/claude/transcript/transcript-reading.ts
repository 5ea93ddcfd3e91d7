// Reads Claude's transcript line by line into a summary; repeated lines count once.
import { createUsageTally, tallyMessage, toUsageByModel, type UsageTally } from '@roost/core/usage/tally';
import { type Answer, parseTranscriptLine, type TranscriptLine } from './transcript-line.ts';

/** Beyond this the oldest are forgotten, and a repeat would count again. */
const MAX_REMEMBERED_IDS = 100_000;

export type TranscriptReading = {
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

export type TranscriptSummary = ReturnType<typeof summarise>;

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
