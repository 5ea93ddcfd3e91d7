// Whether the record of one session is intact.
import { z } from 'zod';

export const sessionProof = z.object({
	intact: z.boolean(),
	events: z.number().int().nonnegative(),
	/** The last hash of its chain. */
	head: z.string(),
	/** One sentence each; empty if intact. */
	problems: z.array(z.string()),
});
export type SessionProof = z.infer<typeof sessionProof>;
