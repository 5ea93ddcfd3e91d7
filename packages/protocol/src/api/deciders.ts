// A command that decides for its user says which process it is: an agent must not decide for itself.
import { z } from 'zod';
import { sessionId } from '../ids.ts';

/** `POST /launches/decider` */
export const deciderBody = z.strictObject({
	pid: z.number().int().positive(),
	/** What `ROOST_SESSION` says there. */
	session: z.string().min(1).optional(),
	/** What it wants to do, such as `allow`; nothing where it opens the terminal UI, which can do all of it. */
	command: z.string().max(64),
});
export type DeciderBody = z.infer<typeof deciderBody>;

/** The session of the agent it belongs to; null for a terminal of the user. */
export const deciderJudged = z.object({ governedBy: sessionId.nullable() });
export type DeciderJudged = z.infer<typeof deciderJudged>;
