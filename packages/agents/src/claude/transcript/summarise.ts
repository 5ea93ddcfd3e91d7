// At a session's end its transcript says what the hooks did not: how much was said, and what it cost.
import type { Fact } from '@roost/core/feed/mapper';
import { type Summarise, toUsageFact } from '../../transcripts.ts';
import { readTranscript } from './read-transcript.ts';

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
