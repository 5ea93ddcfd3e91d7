// Usage of sessions so far, counted from their transcripts while they run.

import { type ReadUsage, type TranscriptUsage, toUsageFact } from '@roost/agents/base/transcripts';
import { findKind } from '@roost/agents/kinds';
import type { Fact } from '@roost/core/feed/mapper';
import type { AgentTranscript } from './summaries.ts';

/** Empty while unknown: the end of the session reports what cannot be read. */
export type Count = (transcript: AgentTranscript) => Promise<Fact[]>;

/** The least recently counted is dropped, and read from its start if it is needed again. */
const MAX_TRANSCRIPTS = 100;

export function createUsageCounts(): Count {
	const transcripts = new Map<string, TranscriptUsage>();

	function transcriptAt(path: string, since: number, open: ReadUsage): TranscriptUsage {
		const key = `${since} ${path}`;
		const known = transcripts.get(key) ?? open(path, since);
		transcripts.delete(key);
		transcripts.set(key, known);
		const [oldest] = transcripts.keys();
		if (oldest !== undefined && transcripts.size > MAX_TRANSCRIPTS) transcripts.delete(oldest);
		return known;
	}

	return async ({ path, agent, since, nativeIds }) => {
		// If reading cannot continue from its last position, the end of the session reports it.
		const open = findKind(agent)?.readUsage;
		if (!open) return [];
		const usage = await transcriptAt(path, since, open).read(nativeIds);
		return usage.ok && Object.keys(usage.value).length > 0 ? [toUsageFact(usage.value)] : [];
	};
}
