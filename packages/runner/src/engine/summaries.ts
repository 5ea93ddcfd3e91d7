// At a session's end its transcript says what the hooks did not: how much was said, and what it cost.
import { readTranscript } from '@roost/agents/claude/transcript/read-transcript';
import { getRuntime } from '@roost/agents/registry';
import type { Fact } from '@roost/core/feed/mapper';
import type { UsageByModel } from '@roost/core/usage/tally';
import { toUsageUpdate } from '@roost/core/usage/usage-update';
import { untilWhole } from './whole-transcript.ts';

export type SessionTranscript = {
	path: string;
	agent: string;
	/** When the session began: its transcript may begin with another's, and what that used is not the session's. */
	since: number;
	/** Of all its conversations: each may have a transcript of its own. */
	nativeIds: readonly string[];
};

/** The facts to record; that a transcript cannot be read is one of them. */
export type Summarise = (transcript: SessionTranscript) => Promise<Fact[]>;

/** Of agents other than Claude only what they used is known from there. */
export const summariseTranscript: Summarise = async (transcript) =>
	transcript.agent === 'claude' ? await summariseClaude(transcript) : await readUsage(transcript);

async function readUsage({ path, agent }: SessionTranscript): Promise<Fact[]> {
	const runtime = getRuntime(agent);
	if (!runtime.ok) return [];
	const { isLastLine } = runtime.value.traits;
	if (isLastLine) await untilWhole(path, isLastLine);
	const read = await runtime.value.parseTranscript(path);
	return read && Object.keys(read.usage).length > 0 ? [toUsageFact(read.usage)] : [];
}

async function summariseClaude({ path, ...counting }: SessionTranscript): Promise<Fact[]> {
	const reading = await readTranscript(path, counting);
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
