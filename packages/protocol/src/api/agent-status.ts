// The current status of an agent by its own account, beside the recorded status of its session.
import { z } from 'zod';

export const agentStatus = z.object({
	/** `unknown` without a source. */
	status: z.enum(['idle', 'busy', 'waiting', 'unknown']),
	/** In the agent's own words: "permission prompt", "input needed". */
	waitingFor: z.string().optional(),
	/** Its own status file, its hooks, or its screen. */
	source: z.enum(['file', 'hooks', 'screen', 'none']),
	/** Unix milliseconds: when the source reported it. */
	asOf: z.number(),
});
export type AgentStatus = z.infer<typeof agentStatus>;
