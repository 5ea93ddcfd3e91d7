// Reads transcripts of an agent: at the end of a session, while it runs, and of past sessions.

import { setTimeout as delay } from 'node:timers/promises';
import type { Fact } from '@roost/core/feed/mapper';
import type { RuntimeEvent } from '@roost/core/runtime/event';
import type { UsageByModel } from '@roost/core/usage/tally';
import { toUsageUpdate } from '@roost/core/usage/usage-update';
import { openRegularFile } from '@roost/machine/foreign-file';
import { AppError } from '@roost/protocol/app-error';
import type { TokenUsage } from '@roost/protocol/feed/conversation';
import type { Result } from '@roost/protocol/result';
import type { AgentAdapter } from './types.ts';

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

/** Comes back when the end of the file says so, when it takes too long, or when it is no file that is read at all. */
export async function waitUntilComplete(path: string, isLast: (line: string) => boolean): Promise<void> {
	const deadline = performance.now() + LIMIT_MS;
	while (performance.now() < deadline) {
		const tail = await readTail(path);
		if (tail === null || isLast(lastLine(tail))) return;
		await delay(LOOK_EVERY_MS);
	}
}

/** One that went on has the end of its earlier part in the middle. */
function lastLine(tail: string): string {
	return tail.trimEnd().split('\n').at(-1) ?? '';
}

/** Empty for what cannot be read, which may change; null for what is no file to be read. */
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
