// What a list of sessions shows of each; kept beside the log so that listing never folds it.
import { z } from 'zod';
import { projectId, sessionId } from './ids.ts';

export const nativeIdReason = z.enum(['startup', 'resume', 'fork', 'clear', 'compact']);

export const nativeId = z.object({ id: z.string().min(1), reason: nativeIdReason, since: z.number() });
export type NativeId = z.infer<typeof nativeId>;

/** How Roost drives a session: through its agent's own interface, or in a terminal that people type in. */
export const driveMode = z.enum(['sdk', 'pty']);
export type DriveMode = z.infer<typeof driveMode>;

/** What its agent was started with, and is started with again when the session goes on. */
export const drive = z.object({
	mode: driveMode,
	cwd: z.string().min(1),
	model: z.string().optional(),
	permission_mode: z.string().optional(),
	allowed_tools: z.array(z.string()).optional(),
	/** Model calls per prompt; else what the configuration says. */
	max_turns: z.int().min(1).optional(),
	/** The agent's own id of the conversation that this one began as a copy of, and of the last message that it has of it. */
	copy_of: z.object({ native_id: z.string().min(1), up_to: z.string().optional() }).optional(),
});
export type Drive = z.infer<typeof drive>;

const lastRun = z.enum(['failed', 'aborted']);

export const sessionRow = z.object({
	id: sessionId,
	agent: z.string(),
	/** `interrupted`: its agent is gone, and was in the middle of a run. */
	status: z.enum(['working', 'waiting', 'idle', 'ended', 'interrupted']),
	/** Nothing runs without a decision; absent where Roost only observes. */
	gate: z.literal('enforce').optional(),
	/** While it waits: its agent's own dialog alone asks, because Roost was not asked or its ask has expired. */
	ownDialog: z.enum(['open', 'expired']).optional(),
	/** How its last run ended, where that was not well; absent while another is under way. */
	lastRun: lastRun.optional(),
	projectId,
	projectPath: z.string(),
	nativeIds: z.array(nativeId),
	parentId: sessionId.optional(),
	/** Roost started its agent, and may prompt it; absent where it only observes. */
	driven: z.boolean().optional(),
	drive: drive.optional(),
	/** Prompts that wait for its agent, or are on their way to it. */
	prompts: z.number().int().positive().optional(),
	/** Put away by somebody: lists leave it out unless told otherwise. */
	archived: z.literal(true).optional(),
	model: z.string().optional(),
	/** What somebody called it, else the first prompt, cut to a line. */
	title: z.string(),
	startedAt: z.number(),
	lastEventAt: z.number(),
	endedAt: z.number().optional(),
	events: z.number(),
});
export type SessionRow = z.infer<typeof sessionRow>;
