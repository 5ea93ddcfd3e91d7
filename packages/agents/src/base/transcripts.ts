// Reads transcripts of an agent: at the end of a session, while it runs, and of past sessions.
import type { Fact } from '@roost/core/feed/mapper';
import type { RuntimeEvent } from '@roost/core/runtime/event';
import { toUsageUpdate } from '@roost/core/usage/prices';
import type { UsageByModel } from '@roost/core/usage/tally';
import type { TokenUsage } from '@roost/protocol/feed/conversation';
import type { Result } from '@roost/protocol/result';
import type { AgentAdapter } from './types.ts';
import { untilWhole } from './whole-transcript.ts';

export type SessionTranscript = {
	path: string;
	/** When the session began: its transcript may begin with another's, and what that used is not the session's. */
	since: number;
	/** Of all its conversations: each may have a transcript of its own. */
	nativeIds: readonly string[];
};

/** The facts to record; that a transcript cannot be read is one of them. */
export type Summarise = (transcript: SessionTranscript) => Promise<Fact[]>;

/** What a session has used so far; each call reads on from where the last one ended. */
export type ReadUsage = (path: string, since: number) => TranscriptUsage;

export type TranscriptUsage = {
	/** With what the session's other conversations used. Lines still being written wait for the next time. Never call it twice at once. */
	read(nativeIds?: readonly string[]): Promise<Result<UsageByModel>>;
};

export type PastTranscripts = {
	/** In a project, where it is configured for it. */
	readonly projectFolder: string;
	/** Where one with this environment keeps its transcripts. */
	folder(env: NodeJS.ProcessEnv): string;
	/** Those below that folder. */
	find(folder: string): Promise<FoundTranscripts>;
	/** Where a session worked; null where its transcript does not say. Throws where it cannot be read. */
	readCwd(path: string): Promise<string | null>;
	readSession(path: string): Promise<Result<PastTranscript>>;
	/** Everything that it reported. Throws an `AppError` where the transcript cannot be read. */
	readEvents(file: Pick<TranscriptFile, 'path' | 'nativeId'>): AsyncGenerator<RuntimeEvent>;
};

export type TranscriptFile = { path: string; nativeId: string; size: number; mtimeMs: number };

export type FoundTranscripts = { files: TranscriptFile[]; problems: { path: string; message: string }[] };

export type PastTranscript = {
	/** As its user called it, else as the agent did, else all that it began with; may be empty. */
	title: string;
	messages: number;
	toolCalls: number;
	tokens: TokenUsage;
	startedAt?: number;
	lastActivity?: number;
};

/** For an agent whose transcript says only what was used. */
export function summariseUsage({ parseTranscript, traits }: AgentAdapter): Summarise {
	return async ({ path }) => {
		if (traits.isLastLine) await untilWhole(path, traits.isLastLine);
		const read = await parseTranscript(path);
		return read && Object.keys(read.usage).length > 0 ? [toUsageFact(read.usage)] : [];
	};
}

export function toUsageFact(usage: UsageByModel): Fact {
	return { kind: 'usage.update', data: toUsageUpdate(usage) };
}
