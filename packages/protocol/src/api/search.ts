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

/** `unsearched`: so many events came lately that the index does not have them yet, and they were not looked at. */
export const searchFound = z.object({ hits: z.array(searchHit), unsearched: z.number().int().nonnegative() });
export type SearchFound = z.infer<typeof searchFound>;
