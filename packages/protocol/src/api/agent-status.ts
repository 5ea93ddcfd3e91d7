// What an agent is doing right now, who says so, and since when; beside what the record says of its session.
import { z } from 'zod';

export const agentStatus = z.object({
	/** `unknown` where nothing tells. */
	status: z.enum(['idle', 'busy', 'waiting', 'unknown']),
	/** In the agent's own words: "permission prompt", "input needed". */
	waitingFor: z.string().optional(),
	/** Its own status file, its hooks, or what stands on its screen. */
	source: z.enum(['file', 'hooks', 'screen', 'none']),
	/** Unix milliseconds: when the source said so. */
	asOf: z.number(),
});
export type AgentStatus = z.infer<typeof agentStatus>;
