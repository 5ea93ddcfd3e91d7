// At a session's end its transcript says what the hooks did not: how much was said, and what it cost.
import { readTranscript } from '@roost/agents/claude/transcript/read-transcript';
import { getRuntime } from '@roost/agents/registry';
import type { Fact } from '@roost/core/feed/mapper';
import type { UsageByModel } from '@roost/core/usage/tally';
import { toUsageUpdate } from '@roost/core/usage/usage-update';

/** The facts to record; that a transcript cannot be read is one of them. */
export type Summarise = (transcriptPath: string, agent: string) => Promise<Fact[]>;

/** Of agents other than Claude only what they used is known from there. */
export const summariseTranscript: Summarise = async (transcriptPath, agent) =>
	agent === 'claude' ? await summariseClaude(transcriptPath) : await readUsage(transcriptPath, agent);

async function readUsage(transcriptPath: string, agent: string): Promise<Fact[]> {
	const runtime = getRuntime(agent);
	const read = runtime.ok ? await runtime.value.parseTranscript(transcriptPath) : null;
	return read && Object.keys(read.usage).length > 0 ? [toUsageFact(read.usage)] : [];
}

async function summariseClaude(transcriptPath: string): Promise<Fact[]> {
	const reading = await readTranscript(transcriptPath);
	if (!reading.ok) return [{ kind: 'session.summary', data: { messages: 0, tool_calls: 0, error: reading.error.message } }];
	const { lastAssistantText, lastAssistantAt, messages, toolCalls, error, usage } = reading.value;
	const summary: Fact = {
		kind: 'session.summary',
		data: { last_assistant_text: lastAssistantText, last_assistant_at: lastAssistantAt, messages, tool_calls: toolCalls, error },
	};
	return Object.keys(usage).length > 0 ? [summary, toUsageFact(usage)] : [summary];
}

export function toUsageFact(usage: UsageByModel): Fact {
	return { kind: 'usage.update', data: toUsageUpdate(usage) };
}
