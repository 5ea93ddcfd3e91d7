// Words looked for in every session, over the wire.
import { z } from 'zod';
import { eventId, sessionId } from '../ids.ts';

export const MOST_HITS = 200;

/** `GET /search`: one event that has the words, and where it is. */
export const searchHit = z.object({
	sessionId,
	eventId,
	/** Its place in the session. */
	offset: z.number().int().positive(),
	ts: z.number(),
	kind: z.string(),
	title: z.string(),
	/** The words with what stands around them. */
	excerpt: z.string(),
});
export type SearchHit = z.infer<typeof searchHit>;
