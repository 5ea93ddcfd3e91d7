// Full-text search over all sessions, over the wire.
import { z } from 'zod';
import { eventId, sessionId } from '../ids.ts';

export const MOST_HITS = 200;

/** `GET /search`: one event that contains the words. */
export const searchHit = z.object({
	sessionId,
	eventId,
	/** Its place in the session. */
	offset: z.number().int().positive(),
	ts: z.number(),
	kind: z.string(),
	title: z.string(),
	/** The words with the text around them. */
	excerpt: z.string(),
});
export type SearchHit = z.infer<typeof searchHit>;

/** `unsearched`: number of recent events that are not indexed yet and were not searched. */
export const searchFound = z.object({ hits: z.array(searchHit), unsearched: z.number().int().nonnegative() });
export type SearchFound = z.infer<typeof searchFound>;
