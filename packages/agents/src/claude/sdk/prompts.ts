// Prompts on their way to Claude: waiting, written or taken; and whether a transcript contains one.

import { createHash } from 'node:crypto';
import type { DrivableAgent, OutgoingPrompt } from '@roost/core/runtime/connection';
import type { Frame } from '@roost/machine/lines';
import { AppError } from '@roost/protocol/app-error';
import type { PromptId } from '@roost/protocol/ids';
import { err, ok, type Result } from '@roost/protocol/result';
import { transcriptLines } from '../../base/transcript-files.ts';
import { claudeProjectsFolder, findTranscripts } from '../transcript/transcript-folders.ts';

export type Prompts = ReturnType<typeof createPrompts>;

/** `steers`: written into a running turn. */
export type WrittenPrompt = OutgoingPrompt & { steers: boolean };

export type WritePrompt = (prompt: OutgoingPrompt, how: { uuid: ReturnType<typeof toMessageUuid>; steers: boolean }) => boolean;

type Written = { prompt: WrittenPrompt; uuid: string; isTaken: boolean; isReported: boolean };

const MAX_WAITING = 100;

export function createPrompts(write: WritePrompt) {
	const waiting: OutgoingPrompt[] = [];
	let written: Written[] = [];

	function send(prompt: OutgoingPrompt, steers: boolean): boolean {
		const uuid = toMessageUuid(prompt.id);
		if (!write(prompt, { uuid, steers })) return false;
		written.push({ prompt: { ...prompt, steers }, uuid, isTaken: false, isReported: false });
		return true;
	}

	function mark(one: Written | undefined): WrittenPrompt | undefined {
		if (!one || one.isTaken) return undefined;
		one.isTaken = true;
		return one.prompt;
	}

	return {
		/** Written at once if Claude is idle or steered, else it waits. False where too many wait. */
		take(prompt: OutgoingPrompt, how: 'follow-up' | 'steer'): boolean {
			if (how === 'steer' || written.length === 0) return send(prompt, how === 'steer' && written.length > 0);
			if (waiting.length >= MAX_WAITING) return false;
			waiting.push(prompt);
			return true;
		},
		/** Claude started on it; returns the prompt the first time. */
		taken: (uuid: string) => mark(written.find((one) => one.uuid === uuid)),
		/** Matches a prompt that Claude reports with one of Roost's, and whether it is new. */
		reported(text: string): { prompt?: WrittenPrompt; isNews: boolean } {
			const one = written.find((other) => other.prompt.text === text && !other.isReported);
			if (!one) return { isNews: true };
			one.isReported = true;
			return { prompt: one.prompt, isNews: mark(one) !== undefined };
		},
		/** A turn ended. Returns the prompt it answered, if it was not reported before. */
		ended(completed: boolean): WrittenPrompt | undefined {
			const wasTaken = written.some((one) => one.isTaken);
			const silent = completed && !wasTaken ? written[0] : undefined;
			written = written.filter((one) => !one.isTaken && one !== silent);
			return silent?.prompt;
		},
		/** Writes the next prompt. */
		next(): void {
			const prompt = written.length === 0 ? waiting.shift() : undefined;
			if (prompt) send(prompt, false);
		},
		isBusy: () => written.length > 0,
	};
}

type InputQueue<T> = AsyncIterable<T> & {
	/** False where it is full or ended. */
	push(item: T): boolean;
	/** The reader gets the remaining items. */
	end(): void;
};

export function createInputQueue<T>(limit: number): InputQueue<T> {
	const items: T[] = [];
	let isEnded = false;
	let wake = () => {};

	async function* read(): AsyncGenerator<T> {
		for (;;) {
			const next = items.shift();
			if (next !== undefined) yield next;
			else if (isEnded) return;
			else await new Promise<void>((resolve) => (wake = resolve));
		}
	}

	return {
		push(item) {
			if (isEnded || items.length >= limit) return false;
			items.push(item);
			wake();
			return true;
		},
		end() {
			isEnded = true;
			wake();
		},
		[Symbol.asyncIterator]: read,
	};
}

/** False without a transcript. */
export function createHasPrompt(env: NodeJS.ProcessEnv): DrivableAgent['hasPrompt'] {
	return async ({ nativeId, prompt }) => {
		const uuid = toMessageUuid(prompt);
		return await someLine(env, nativeId, (line) => line.type === 'line' && line.text.includes(uuid));
	};
}

export type HasConversation = (nativeId: string) => Promise<boolean>;

const SPOKEN = /"type":"(?:user|assistant)"/;

/** Unreadable counts as existing: Claude then reports why it cannot resume. */
export function createHasConversation(env: NodeJS.ProcessEnv): HasConversation {
	return async (nativeId) => {
		const found = await someLine(env, nativeId, (line) => line.type !== 'line' || SPOKEN.test(line.text));
		return !found.ok || found.value;
	};
}

async function someLine(env: NodeJS.ProcessEnv, nativeId: string, matches: (line: Frame) => boolean): Promise<Result<boolean>> {
	// By name alone: its folder does not always match the session's.
	const { files } = await findTranscripts(claudeProjectsFolder(env));
	try {
		for (const { path } of files.filter((file) => file.nativeId === nativeId))
			for await (const line of transcriptLines(path)) if (matches(line)) return ok(true);
		return ok(false);
	} catch (cause) {
		if (cause instanceof AppError) return err(cause);
		throw cause;
	}
}

type Uuid = `${string}-${string}-${string}-${string}-${string}`;

const SHAPE = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/** Deterministic, so that a transcript can be searched for a prompt. */
export function toMessageUuid(id: PromptId): Uuid {
	const hex = createHash('sha256').update(`roost prompt ${id}`).digest('hex');
	// Version 8: a custom, not random, UUID.
	return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}

/** Anything else could be read as a flag or a path. */
export function isUuid(text: string): boolean {
	return SHAPE.test(text);
}
