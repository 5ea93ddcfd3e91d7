// Whether Claude has a conversation, and whether it contains a prompt of Roost, by the transcripts.

import { createHash } from 'node:crypto';
import type { DrivableAgent } from '@roost/core/runtime/connection';
import type { Frame } from '@roost/machine/lines';
import { AppError } from '@roost/protocol/app-error';
import type { PromptId } from '@roost/protocol/ids';
import { err, ok, type Result } from '@roost/protocol/result';
import { transcriptLines } from '../../base/transcript-files.ts';
import { claudeProjectsFolder, findTranscripts } from '../transcript/transcript-folders.ts';

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
