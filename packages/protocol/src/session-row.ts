// What a list of sessions shows of each; kept beside the log so that listing never folds it.
import { z } from 'zod';
import { projectId, sessionId } from './ids.ts';

export const nativeIdReason = z.enum(['startup', 'resume', 'fork', 'clear', 'compact']);

export const nativeId = z.object({ id: z.string().min(1), reason: nativeIdReason, since: z.number() });
export type NativeId = z.infer<typeof nativeId>;

export const sessionRow = z.object({
	id: sessionId,
	agent: z.string(),
	status: z.enum(['working', 'waiting', 'idle', 'ended', 'interrupted']),
	projectId,
	projectPath: z.string(),
	nativeIds: z.array(nativeId),
	parentId: sessionId.optional(),
	/** Roost started its agent, and may prompt it; absent where it only observes. */
	driven: z.boolean().optional(),
	model: z.string().optional(),
	/** The first prompt, cut to a line. */
	title: z.string(),
	startedAt: z.number(),
	lastEventAt: z.number(),
	endedAt: z.number().optional(),
	events: z.number(),
});
export type SessionRow = z.infer<typeof sessionRow>;
