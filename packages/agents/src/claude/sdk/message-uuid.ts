// The id of a prompt in Claude's transcript: the `uuid` of the user line, or the `source_uuid` of an attachment for a steering prompt.
import { createHash } from 'node:crypto';
import type { PromptId } from '@roost/protocol/ids';

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
