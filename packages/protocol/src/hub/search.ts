// Search and usage over all runners of a hub, over the wire.
import { z } from 'zod';
import { searchHit } from '../api/search.ts';
import { usageGroup, usageReport } from '../api/usage.ts';
import { runnerId } from '../ids.ts';

const runnerRef = z.object({ id: runnerId, name: z.string() });

/** A session id is unique with its runner only. */
export const hubHit = searchHit.extend({ runner: runnerRef });
export type HubHit = z.infer<typeof hubHit>;

/** `behind`: runners with lines that are not indexed yet, and how many. */
export const hubFound = z.object({
	hits: z.array(hubHit),
	behind: z.array(runnerRef.extend({ events: z.number().int().positive() })),
});
export type HubFound = z.infer<typeof hubFound>;

/** Groups of sessions and projects name their runner; days, agents and models are over all. */
export const hubUsageReport = usageReport.extend({ groups: z.array(usageGroup.extend({ runner: runnerRef.optional() })) });
export type HubUsageReport = z.infer<typeof hubUsageReport>;
