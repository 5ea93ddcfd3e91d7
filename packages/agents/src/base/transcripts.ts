// Transcripts of an agent, at the end of a session, during it and of past sessions, and token usage as adapters report it.
import { setTimeout as delay } from 'node:timers/promises';
import type { Fact } from '@roost/core/feed/mapper';
import type { RuntimeEvent } from '@roost/core/runtime/event';
import { toUsageUpdate } from '@roost/core/usage/prices';
import { totalUsage, type UsageByModel } from '@roost/core/usage/tally';
import { openRegularFile } from '@roost/machine/foreign-file';
import { AppError } from '@roost/protocol/app-error';
import type { TokenUsage } from '@roost/protocol/feed/conversation';
import type { Result } from '@roost/protocol/result';
import type { AgentAdapter, TranscriptSummary } from './types.ts';

export type SessionTranscript = {
	path: string;
	/** Start of the session: a transcript may begin with another session, whose usage does not count. */
	since: number;
	/** Each conversation may have its own transcript. */
	nativeIds: readonly string[];
};

/** Facts to record; an unreadable transcript is one of them. */
export type Summarise = (transcript: SessionTranscript) => Promise<Fact[]>;

/** Usage so far; each call continues where the last one ended. */
export type ReadUsage = (path: string, since: number) => TranscriptUsage;

export type TranscriptUsage = {
	/** Includes the session's other conversations. Unfinished lines are read next time. Not for concurrent calls. */
	read(nativeIds?: readonly string[]): Promise<Result<UsageByModel>>;
};

export type PastTranscripts = {
	/** The agent's folder in a project. */
	readonly projectFolder: string;
	folder(env: NodeJS.ProcessEnv): string;
	find(folder: string): Promise<FoundTranscripts>;
	/** Null where the transcript does not say. Throws where it cannot be read. */
	readCwd(path: string): Promise<string | null>;
	readSession(path: string): Promise<Result<PastTranscript>>;
	/** Throws an `AppError` where the transcript cannot be read. */
	readEvents(file: Pick<TranscriptFile, 'path' | 'nativeId'>): AsyncGenerator<RuntimeEvent>;
};

export type TranscriptFile = { path: string; nativeId: string; size: number; mtimeMs: number };

export type FoundTranscripts = { files: TranscriptFile[]; problems: { path: string; message: string }[] };

export type PastTranscript = {
	/** The user's title, else the agent's, else the first prompt; may be empty. */
	title: string;
	messages: number;
	toolCalls: number;
	tokens: TokenUsage;
	startedAt?: number;
	lastActivity?: number;
};

/** For transcripts that contain only usage. */
export function summariseUsage({ parseTranscript, traits }: AgentAdapter): Summarise {
	return async ({ path }) => {
		if (traits.isLastLine) await waitUntilComplete(path, traits.isLastLine);
		const read = await parseTranscript(path);
		return read && Object.keys(read.usage).length > 0 ? [toUsageFact(read.usage)] : [];
	};
}

export function toUsageFact(usage: UsageByModel): Fact {
	return { kind: 'usage.update', data: toUsageUpdate(usage) };
}

const LIMIT_MS = 5000;
const LOOK_EVERY_MS = 50;
const TAIL_BYTES = 256 * 1024;

/** Returns when the last line is there, after the time limit, or for a path that is not a file. */
export async function waitUntilComplete(path: string, isLast: (line: string) => boolean): Promise<void> {
	const deadline = performance.now() + LIMIT_MS;
	while (performance.now() < deadline) {
		const tail = await readTail(path);
		if (tail === null || isLast(lastLine(tail))) return;
		await delay(LOOK_EVERY_MS);
	}
}

/** A resumed session has the end of its earlier part in the middle. */
function lastLine(tail: string): string {
	return tail.trimEnd().split('\n').at(-1) ?? '';
}

/** Empty while it cannot be read; null for a path that is not a file. */
async function readTail(path: string): Promise<string | null> {
	try {
		const { file, size } = await openRegularFile(path);
		await using _file = file;
		const start = Math.max(0, size - TAIL_BYTES);
		const { buffer, bytesRead } = await file.read(Buffer.alloc(size - start), 0, size - start, start);
		return buffer.toString('utf8', 0, bytesRead);
	} catch (cause) {
		if (cause instanceof AppError) return null;
		if (cause instanceof Error && 'code' in cause) return '';
		throw cause;
	}
}

/** Reasoning tokens are part of the output; the field is absent for models that do not reason. */
export function toReasoning(tokens: number | undefined): { reasoning_tokens?: number } {
	return tokens !== undefined && tokens > 0 ? { reasoning_tokens: tokens } : {};
}

export function toTranscriptSummary(model: string, usage: UsageByModel): TranscriptSummary {
	const { input_tokens, cache_read_tokens, cache_write_tokens, output_tokens } = totalUsage(usage);
	return { inputTokens: input_tokens + cache_read_tokens + cache_write_tokens, outputTokens: output_tokens, model, usage };
}
