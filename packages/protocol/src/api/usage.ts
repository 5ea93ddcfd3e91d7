// Token usage and estimated cost, over the wire.
import { z } from 'zod';
import { tokenUsage } from '../feed/conversation.ts';

export const usageBy = z.enum(['day', 'project', 'agent', 'model', 'session']);
export type UsageBy = z.infer<typeof usageBy>;

/** A day of the runner's own calendar: `2026-11-15`. */
export const calendarDay = z.iso.date();

const amounts = {
	tokens: tokenUsage,
	/** At list price; without the models in `unpriced`. */
	costUsdEstimate: z.number(),
	unpriced: z.array(z.string()),
	/** Number of sessions in it. */
	sessions: z.number().int().nonnegative(),
};

export const usageGroup = z.object({
	/** The day, the project's id, the agent, the model or the session's id. */
	key: z.string(),
	/** Its display name, where that differs: a session's title, a project's folder. */
	title: z.string().optional(),
	...amounts,
});
export type UsageGroup = z.infer<typeof usageGroup>;

/** `GET /usage`: days oldest first, everything else most expensive first. */
export const usageReport = z.object({
	by: usageBy,
	since: calendarDay.optional(),
	until: calendarDay.optional(),
	groups: z.array(usageGroup),
	total: z.object(amounts),
	/** The date of the price lists. */
	pricesAsOf: z.string(),
});
export type UsageReport = z.infer<typeof usageReport>;

/** Both days are included. */
export type UsageQuery = { by: UsageBy; since?: string | undefined; until?: string | undefined };
