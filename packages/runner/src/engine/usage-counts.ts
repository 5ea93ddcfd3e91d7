// What sessions have used so far, counted from their transcripts while they go on.
import { createTranscriptUsage, type TranscriptUsage } from '@roost/agents/claude/transcript/transcript-usage';
import type { Fact } from '@roost/core/feed/mapper';
import { type SessionTranscript, toUsageFact } from './summaries.ts';

/** Nothing where nothing is known yet: the session's end says what cannot be read. */
export type Count = (transcript: SessionTranscript) => Promise<Fact[]>;

/** Whichever was not counted for the longest time is forgotten, and read from its start if it comes back. */
const MAX_TRANSCRIPTS = 100;

export function createUsageCounts(): Count {
	const transcripts = new Map<string, TranscriptUsage>();

	function transcriptAt(path: string, since: number): TranscriptUsage {
		const key = `${since} ${path}`;
		const known = transcripts.get(key) ?? createTranscriptUsage(path, since);
		transcripts.delete(key);
		transcripts.set(key, known);
		const [oldest] = transcripts.keys();
		if (oldest !== undefined && transcripts.size > MAX_TRANSCRIPTS) transcripts.delete(oldest);
		return known;
	}

	// Of agents other than Claude none can be read further from where it was left: the end of the session tells.
	return async ({ path, agent, since, nativeIds }) => {
		if (agent !== 'claude') return [];
		const usage = await transcriptAt(path, since).read(nativeIds);
		return usage.ok && Object.keys(usage.value).length > 0 ? [toUsageFact(usage.value)] : [];
	};
}
