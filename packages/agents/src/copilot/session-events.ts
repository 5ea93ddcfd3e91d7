// Copilot's event file of a session (events.jsonl): usage of each model call, and errors. Read incrementally.
import { join } from 'node:path';
import { parseJson } from '@roost/core/display/parse-json';
import { createUsageTally, tallyMessage, toUsageByModel, type UsageByModel } from '@roost/core/usage/tally';
import { z } from 'zod';
import { readLines, START } from '../base/transcript-files.ts';
import { toReasoning, toTranscriptSummary } from '../base/transcripts.ts';
import type { TranscriptSummary } from '../base/types.ts';
import { copilotHome } from './repository.ts';

export type SessionEvents = {
	/** New events; null for an unreadable file. At the end an unterminated last line counts too. */
	read(at?: 'end'): Promise<EventNews | null>;
};

type EventNews = {
	/** Of the whole session. */
	usage: UsageByModel;
	model: string | undefined;
	/** New errors. */
	errors: string[];
};

/** Other lines are skipped without parsing. */
const OF_INTEREST = /"type":\s*"session\.(?:usage_record|error)"/;

export function sessionEventsPath(env: Readonly<Record<string, string | undefined>>, nativeId: string): string {
	return join(copilotHome(env), 'session-state', nativeId, 'events.jsonl');
}

/** Nothing is read twice, and only a chunk is in memory. */
export function createSessionEvents(path: string): SessionEvents {
	const tally = createUsageTally();
	let place = START;
	let model: string | undefined;

	async function read(at?: 'end'): Promise<EventNews | null> {
		const errors: string[] = [];
		const read = await readLines(path, place, (line, isEnded) => {
			if (line.type === 'line' && (isEnded || at === 'end')) take(line.text, errors);
		});
		if (!read.ok) return null;
		place = read.value;
		return { usage: toUsageByModel(tally), model, errors };
	}

	function take(line: string, errors: string[]): void {
		const found = OF_INTEREST.test(line) ? event.safeParse(parseJson(line)).data : undefined;
		if (found?.type === 'session.error') errors.push(found.data.message);
		if (found?.type !== 'session.usage_record') return;
		const { usage } = found.data;
		model = usage.model;
		tallyMessage(tally, {
			messageId: usage.apiCallId ?? found.id,
			model: usage.model,
			usage: {
				// Copilot includes cached tokens in the input.
				input_tokens: Math.max(0, usage.inputTokens - usage.cacheReadTokens - usage.cacheWriteTokens),
				output_tokens: usage.outputTokens,
				cache_read_tokens: usage.cacheReadTokens,
				cache_write_tokens: usage.cacheWriteTokens,
				...toReasoning(usage.reasoningTokens),
			},
		});
	}

	return { read };
}

const count = z.number().int().nonnegative().catch(0).default(0);

const event = z.discriminatedUnion('type', [
	z.object({
		type: z.literal('session.usage_record'),
		id: z.string().optional(),
		data: z.object({
			usage: z.object({
				model: z.string(),
				apiCallId: z.string().optional().catch(undefined),
				inputTokens: count,
				outputTokens: count,
				cacheReadTokens: count,
				cacheWriteTokens: count,
				reasoningTokens: count,
			}),
		}),
	}),
	z.object({ type: z.literal('session.error'), data: z.object({ message: z.string() }) }),
]);

export async function parseTranscript(path: string): Promise<TranscriptSummary | null> {
	const news = await createSessionEvents(path).read('end');
	return news?.model === undefined ? null : toTranscriptSummary(news.model, news.usage);
}
