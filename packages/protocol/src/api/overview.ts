// `GET /overview`: what runs and what waits, in words that are safe to show as they are.
import { z } from 'zod';
import { risk } from '../ask.ts';
import { askId, runnerId, sessionId } from '../ids.ts';
import { sessionRow } from '../session-row.ts';
import { enforcedLaunch } from './launches.ts';

export const overview = z.object({
	runner: z.object({ id: runnerId, name: z.string(), version: z.string() }),
	/** How many people look right now: open streams of faces that show what waits. */
	watching: z.number(),
	/** The newest ones. */
	sessions: z.array(
		sessionRow
			.pick({ id: true, agent: true, status: true, gate: true, ownDialog: true, title: true, lastEventAt: true })
			.extend({ project: z.string() }),
	),
	/** Agents whose calls are blocked while no runner is up; a runner of an older Roost does not say. */
	enforced: z.array(enforcedLaunch).optional(),
	/** Pending ones, oldest first. */
	asks: z.array(
		z.object({
			id: askId,
			session: sessionId,
			kind: z.enum(['permission', 'question']),
			tool: z.string(),
			/** The whole input. */
			input: z.string(),
			risk,
			openedAt: z.number(),
			expiresAt: z.number(),
		}),
	),
});
export type Overview = z.infer<typeof overview>;
