// The id under which Claude keeps a prompt of Roost's: in its transcript the `uuid` of the user's line, or, where the prompt was
// taken in the middle of a turn, the `source_uuid` of an attachment.
import { createHash } from 'node:crypto';
import type { PromptId } from '@roost/protocol/ids';

type Uuid = `${string}-${string}-${string}-${string}-${string}`;

const SHAPE = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/** The same for the same prompt at any time, so that a transcript can be asked whether a prompt arrived. */
export function toMessageUuid(id: PromptId): Uuid {
	const hex = createHash('sha256').update(`roost prompt ${id}`).digest('hex');
	// Marked as a UUID made by its maker's own rule (version 8), since nothing random is in it.
	return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}

/** Claude's own ids are UUIDs; anything else could be read as a flag or a path. */
export function isUuid(text: string): boolean {
	return SHAPE.test(text);
}
