// Rows of a feed: what a list shows of each event, without its data.
import { z } from 'zod';
import { risk } from '../ask.ts';
import { decisionOrigin, feedLevel } from '../feed/base.ts';
import { review } from '../feed/review.ts';
import { actorId, askId, eventId, runId } from '../ids.ts';

/** Longer texts of prompts and messages are cut; the whole event has the rest. */
export const LONGEST_ROW_TEXT = 4_000;

export const feedRow = z.object({
	offset: z.number().int().positive(),
	event_id: eventId,
	/** A string, so that an older page reads rows of newer kinds. */
	kind: z.string(),
	ts: z.number(),
	run_id: runId,
	actor_id: actorId,
	level: feedLevel,
	title: z.string(),
	/** Bytes of the stored line. */
	size: z.number().int().positive(),
	/** The call or request that this event belongs to. */
	parent: eventId.optional(),
	/** The call that this message announces, where the call was reported first. */
	announces: eventId.optional(),
	/** The agent's own id of a message: a fork may end with it. */
	native_id: z.string().optional(),
	/** Of prompts and messages. */
	text: z.string().optional(),
	/** `text` is not all of it. */
	isCut: z.literal(true).optional(),
	/** Of a prompt that is a review. */
	review: review.optional(),
	tool: z.string().optional(),
	/** Lines that a call adds and removes. */
	change: z.object({ added: z.number(), removed: z.number() }).optional(),
	duration_ms: z.number().optional(),
	/** A call that was interrupted. */
	is_interrupt: z.boolean().optional(),
	/** Of a request. */
	ask_id: askId.optional(),
	risk: risk.optional(),
	/** Of a decision: allow, deny, ask, block, no_opinion or answer. */
	decision: z
		.object({
			type: z.string(),
			by: decisionOrigin.decided_by,
			rule_id: z.string().optional(),
			principal: z.string().optional(),
			reason: z.string().optional(),
		})
		.optional(),
});
export type FeedRow = z.infer<typeof feedRow>;

export const feedPage = z.object({
	/** By offset, oldest first. */
	rows: z.array(feedRow),
	/** The page covers the events from `first` to `last`, also those without a row; none if `last` is less. */
	first: z.number().int().nonnegative(),
	last: z.number().int().nonnegative(),
	/** The offset of the newest event of the session. */
	head: z.number().int().nonnegative(),
});
export type FeedPage = z.infer<typeof feedPage>;

/** The state of a session after its first `offset` events, as JSON of the view that faces fold. */
export const storedView = z.object({
	offset: z.number().int().nonnegative(),
	view: z.record(z.string(), z.unknown()),
});
export type StoredView = z.infer<typeof storedView>;
