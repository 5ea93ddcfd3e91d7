// At a session's end its transcript says what the hooks did not: how much was said, and what it cost.
import { readTranscript } from '@roost/agents/claude/transcript/read-transcript';
import type { Fact } from '@roost/core/feed/mapper';
import type { UsageByModel } from '@roost/core/usage/tally';
import { toUsageUpdate } from '@roost/core/usage/usage-update';

/** The facts to record; that a transcript cannot be read is one of them. What was used before `since` is not the session's. */
export type Summarise = (transcriptPath: string, since: number) => Promise<Fact[]>;

export const summariseTranscript: Summarise = async (transcriptPath, since) => {
	const reading = await readTranscript(transcriptPath, since);
	if (!reading.ok) return [{ kind: 'session.summary', data: { messages: 0, tool_calls: 0, error: reading.error.message } }];
	const { lastAssistantText, lastAssistantAt, messages, toolCalls, error, usage } = reading.value;
	const summary: Fact = {
		kind: 'session.summary',
		data: { last_assistant_text: lastAssistantText, last_assistant_at: lastAssistantAt, messages, tool_calls: toolCalls, error },
	};
	return Object.keys(usage).length > 0 ? [summary, toUsageFact(usage)] : [summary];
};

export function toUsageFact(usage: UsageByModel): Fact {
	return { kind: 'usage.update', data: toUsageUpdate(usage) };
}
