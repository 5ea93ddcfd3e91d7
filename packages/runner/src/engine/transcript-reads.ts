// Reads transcripts in the background, one at a time per session, so that an older count never follows a newer one.
import type { Fact } from '@roost/core/feed/mapper';
import type { SessionId } from '@roost/protocol/ids';
import type { AgentTranscript, Summarise } from './summaries.ts';
import type { Count } from './usage-counts.ts';

export type TranscriptReads = {
	summarise(id: SessionId, transcript: Transcript, isCounted: boolean): void;
	/** A read that has not started yet also serves later requests. */
	count(id: SessionId, transcript: Transcript): void;
	isReading(id: SessionId): boolean;
	/** Resolves when everything requested so far is read; false if there was nothing to read. */
	settled(id: SessionId): Promise<boolean>;
};

/** Its path and agent. */
type Transcript = Pick<AgentTranscript, 'path' | 'agent'>;

export type TranscriptReadsDeps = {
	summarise: Summarise;
	count: Count;
	sessionOf: (id: SessionId) => Pick<AgentTranscript, 'since' | 'nativeIds'>;
	note: (id: SessionId, fact: Fact) => void;
};

export function createTranscriptReads({ summarise, count, sessionOf, note }: TranscriptReadsDeps): TranscriptReads {
	const reads = new Map<SessionId, Promise<void>>();
	const toCount = new Set<SessionId>();

	function read(id: SessionId, work: () => Promise<Fact[]>): void {
		const done = (reads.get(id) ?? Promise.resolve()).then(work).then((facts) => {
			for (const fact of facts) note(id, fact);
		});
		reads.set(id, done);
		void done.finally(() => {
			if (reads.get(id) === done) reads.delete(id);
		});
	}

	return {
		summarise: (id, transcript, isCounted) =>
			read(id, async () => {
				const facts = await summarise({ ...transcript, ...sessionOf(id) });
				return facts.filter(({ kind }) => isCounted || kind !== 'usage.update');
			}),
		count(id, transcript) {
			if (toCount.has(id)) return;
			toCount.add(id);
			read(id, () => {
				toCount.delete(id);
				return count({ ...transcript, ...sessionOf(id) });
			});
		},
		isReading: (id) => reads.has(id),
		async settled(id) {
			const open = reads.get(id);
			await open;
			return open !== undefined;
		},
	};
}
