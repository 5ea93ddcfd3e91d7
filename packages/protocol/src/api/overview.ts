// `GET /overview`: sessions and pending requests, with text that is safe to display.
import { z } from 'zod';
import { risk } from '../ask.ts';
import { askId, runnerId, sessionId } from '../ids.ts';
import { sessionRow } from '../session-row.ts';
import { enforcedLaunch } from './launches.ts';

export const overview = z.object({
	runner: z.object({ id: runnerId, name: z.string(), version: z.string() }),
	/** Number of people watching: open streams of visible faces that show pending requests. */
	watching: z.number(),
	/** The newest ones. */
	sessions: z.array(
		sessionRow
			.pick({ id: true, agent: true, status: true, gate: true, ownDialog: true, title: true, lastEventAt: true })
			.extend({ project: z.string() }),
	),
	/** Agents whose calls are blocked while no runner is up; absent from an older runner. */
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
