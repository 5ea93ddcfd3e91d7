// Token usage in the form that every adapter reports.
import { totalUsage, type UsageByModel } from '@roost/core/usage/tally';
import type { TranscriptSummary } from './types.ts';

/** Reasoning tokens are part of the output; the field is absent for models that do not reason. */
export function toReasoning(tokens: number | undefined): { reasoning_tokens?: number } {
	return tokens !== undefined && tokens > 0 ? { reasoning_tokens: tokens } : {};
}

export function toTranscriptSummary(model: string, usage: UsageByModel): TranscriptSummary {
	const { input_tokens, cache_read_tokens, cache_write_tokens, output_tokens } = totalUsage(usage);
	return { inputTokens: input_tokens + cache_read_tokens + cache_write_tokens, outputTokens: output_tokens, model, usage };
}
