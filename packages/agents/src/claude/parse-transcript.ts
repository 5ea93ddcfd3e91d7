// What a session of Claude used, from its transcript and those of its subagents, read as a stream however long they are.
import { totalUsage, toUsageByModel } from '@roost/core/usage/tally';
import type { TranscriptSummary } from '../base/types.ts';
import { readWhole } from './transcript/read-transcript.ts';

/** Null where nobody said anything in it: a file of another kind reads like that too. */
export async function parseTranscript(path: string): Promise<TranscriptSummary | null> {
	const reading = await readWhole(path);
	if (!reading.ok || reading.value.messages === 0) return null;
	const usage = toUsageByModel(reading.value.tally);
	const { input_tokens, cache_read_tokens, cache_write_tokens, output_tokens } = totalUsage(usage);
	return {
		inputTokens: input_tokens + cache_read_tokens + cache_write_tokens,
		outputTokens: output_tokens,
		model: reading.value.model ?? '',
		usage,
	};
}
