// Comments that are not sent yet, by session, in the storage of this browser: nothing that was typed is lost by a reload.
import { parseJson } from '@roost/core/display/parse-json';
import { diffSide } from '@roost/protocol/feed/review';
import { z } from 'zod';

const draftComment = z.object({
	id: z.string(),
	path: z.string(),
	side: diffSide,
	line: z.number(),
	endLine: z.number(),
	/** The hashes of its lines, joined by "-". */
	lineHash: z.string(),
	/** Its lines as they were, for when they have changed. */
	quote: z.string(),
	text: z.string(),
	/** It is being written. */
	isOpen: z.boolean(),
});
export type DraftComment = z.infer<typeof draftComment>;

const drafts = z.object({
	comments: z.array(draftComment),
	summary: z.string(),
	/** Of a review on its way: sent again with the same id, it is taken once. */
	commandId: z.string().optional(),
});
export type Drafts = z.infer<typeof drafts>;

const NO_DRAFTS: Drafts = { comments: [], summary: '' };

export function readDrafts(storage: Pick<Storage, 'getItem'>, id: string): Drafts {
	return drafts.safeParse(parseJson(storage.getItem(keyOf(id)) ?? '')).data ?? NO_DRAFTS;
}

export function writeDrafts(storage: Pick<Storage, 'setItem' | 'removeItem'>, id: string, kept: Drafts): void {
	if (kept.comments.length === 0 && kept.summary === '') storage.removeItem(keyOf(id));
	else storage.setItem(keyOf(id), JSON.stringify(kept));
}

function keyOf(id: string): string {
	return `review ${id}`;
}

/** Those with words. */
export function writtenIn({ comments }: Drafts): DraftComment[] {
	return comments.filter(({ text }) => /\S/.test(text));
}
