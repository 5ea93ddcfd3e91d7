// What a session of Copilot used, from its own record.
import { totalUsage } from '@roost/core/usage/tally';
import type { TranscriptSummary } from '../base/types.ts';
import { createSessionEvents } from './session-events.ts';

/** Null where there is no such record, or nothing in it that was used. */
export async function parseTranscript(path: string): Promise<TranscriptSummary | null> {
	const news = await createSessionEvents(path).read('end');
	if (news?.model === undefined) return null;
	const { input_tokens, output_tokens, cache_read_tokens, cache_write_tokens } = totalUsage(news.usage);
	return {
		inputTokens: input_tokens + cache_read_tokens + cache_write_tokens,
		outputTokens: output_tokens,
		model: news.model,
		usage: news.usage,
	};
}
