// A row in the list of sessions; stored beside the log so that listing does not read the log.
import { z } from 'zod';
import { projectId, sessionId } from './ids.ts';

export const nativeIdReason = z.enum(['startup', 'resume', 'fork', 'clear', 'compact']);

export const nativeId = z.object({ id: z.string().min(1), reason: nativeIdReason, since: z.number() });
export type NativeId = z.infer<typeof nativeId>;

/** How Roost drives a session: through its agent's own interface, or in a terminal that people type in. */
export const driveMode = z.enum(['sdk', 'pty']);
export type DriveMode = z.infer<typeof driveMode>;

/** The settings that its agent was started with, and is started with again when the session is resumed. */
export const drive = z.object({
	mode: driveMode,
	cwd: z.string().min(1),
	model: z.string().optional(),
	permission_mode: z.string().optional(),
	allowed_tools: z.array(z.string()).optional(),
	/** Model calls per prompt; else the configured limit. */
	max_turns: z.int().min(1).optional(),
	/** The agent's own id of the conversation that this one is a copy of, and of the last copied message. */
	copy_of: z.object({ native_id: z.string().min(1), up_to: z.string().optional() }).optional(),
});
export type Drive = z.infer<typeof drive>;

const lastRun = z.enum(['failed', 'aborted']);

export const sessionStatus = z.enum(['working', 'waiting', 'idle', 'ended', 'interrupted']);

export const sessionRow = z.object({
	id: sessionId,
	agent: z.string(),
	/** `interrupted`: its agent exited during a run. */
	status: sessionStatus,
	/** Every call needs a decision; absent where Roost only observes. */
	gate: z.literal('enforce').optional(),
	/** While it waits: only its agent's own dialog asks, because Roost was not asked or the ask has expired. */
	ownDialog: z.enum(['open', 'expired']).optional(),
	/** How its last run failed; absent after a completed run and during the next. */
	lastRun: lastRun.optional(),
	projectId,
	projectPath: z.string(),
	nativeIds: z.array(nativeId),
	parentId: sessionId.optional(),
	/** Roost started its agent, and may prompt it; absent where it only observes. */
	driven: z.boolean().optional(),
	drive: drive.optional(),
	/** Number of prompts that are queued or on their way to its agent. */
	prompts: z.number().int().positive().optional(),
	/** Archived: lists leave it out by default. */
	archived: z.literal(true).optional(),
	model: z.string().optional(),
	/** Its given title, else the first prompt, shortened to a line. */
	title: z.string(),
	startedAt: z.number(),
	lastEventAt: z.number(),
	endedAt: z.number().optional(),
	events: z.number(),
	/** Number of pending asks. This field and the next ones are absent from rows of older versions. */
	openAsks: z.number().optional(),
	/** Absent without tasks. */
	tasks: z.object({ done: z.number(), total: z.number() }).optional(),
	/** Of all models, with cached ones. */
	tokens: z.number().optional(),
	/** Absent if a model has no known price. */
	costUsdEstimate: z.number().optional(),
	/** The last event that a feed shows by default. */
	lastEvent: z.object({ kind: z.string(), offset: z.number(), ts: z.number() }).optional(),
});
export type SessionRow = z.infer<typeof sessionRow>;

/** A row with text for display, which is never stored. */
export const sessionTile = sessionRow.extend({
	/** The title of its last event. */
	lastTitle: z.string().optional(),
});
export type SessionTile = z.infer<typeof sessionTile>;
