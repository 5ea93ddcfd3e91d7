// The connection of a runner to its hub, as `roost status` shows it.
import { z } from 'zod';

export const hubLinkStatus = z.object({
	/** `refused`: the hub refused this runner for good; it tries again when the pairing changes. */
	state: z.enum(['off', 'connecting', 'connected', 'refused']),
	/** When it entered this state. */
	since: z.number(),
	/** Why it is not connected; one sentence. */
	reason: z.string().optional(),
	/** Null without a pairing. */
	hub: z.object({ name: z.string(), url: z.string() }).nullable(),
	/** Events that the hub has not acknowledged. */
	behind: z.int().nonnegative(),
});
export type HubLinkStatus = z.infer<typeof hubLinkStatus>;
