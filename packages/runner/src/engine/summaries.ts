// At a session's end its transcript says what the hooks did not: how much was said, and what it cost.
import { readTranscript } from '@roost/agents/claude/transcript/read-transcript';
import type { Fact } from '@roost/core/feed/mapper';
import { estimateCost } from '@roost/core/usage/prices';

/** The facts to record; an unreadable transcript is one of them. */
export type Summarise = (transcriptPath: string) => Promise<Fact[]>;

export const summariseTranscript: Summarise = async (transcriptPath) => {
	const reading = await readTranscript(transcriptPath);
	if (!reading.ok) {
		return [{ kind: 'session.summary', data: { messages: 0, tool_calls: 0, error: reading.error.message } }];
	}
	return [];
};
