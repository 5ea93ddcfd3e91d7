// Projects on this machine and their past sessions, over the wire.
import { z } from 'zod';
import { tokenUsage } from '../feed/conversation.ts';
import { feedEvent } from '../feed/event.ts';
import { projectId } from '../ids.ts';

const count = z.number().int().nonnegative();

/** The head of the hash of the project's real path. */
export const foundProjectId = z
	.string()
	.regex(/^[0-9a-f]{16}$/, 'expected the id of a project: 16 hexadecimal digits')
	.brand<'FoundProjectId', 'inout'>();
export type FoundProjectId = z.infer<typeof foundProjectId>;

export const foundProject = z.object({
	id: foundProjectId,
	/** The id that sessions and rules use: for `POST /sessions`. */
	projectId,
	name: z.string(),
	path: z.string(),
	/** Without user names and secrets in it. */
	gitRemote: z.string().optional(),
	gitBranch: z.string().optional(),
	isDirty: z.boolean(),
	hasClaudeConfig: z.boolean(),
	/** Unix milliseconds: its folder, its last commit or its last session, whichever is the newest. */
	lastActivity: z.number(),
	pastSessions: count,
});
export type FoundProject = z.infer<typeof foundProject>;

/** A folder that could not be read, and why. */
export const projectProblem = z.object({ path: z.string(), message: z.string() });
export type ProjectProblem = z.infer<typeof projectProblem>;

/** `GET /projects`, `POST /projects/scan` */
export const projectList = z.object({
	/** The latest activity first. */
	projects: z.array(foundProject).readonly(),
	problems: z.array(projectProblem).readonly(),
	/** The time of the last scan; null before the first. */
	scannedAt: z.number().nullable(),
	/** During a scan; `total` is 0 until the folders are known. */
	scanning: z.object({ done: count, total: count }).nullable(),
});
export type ProjectList = z.infer<typeof projectList>;

/** The agent's own id of a session. */
export const nativeSessionId = z.uuid('expected the id of a past session: a UUID');

export const pastSession = z.object({
	agent: z.string(),
	nativeId: nativeSessionId,
	title: z.string(),
	messages: count,
	toolCalls: count,
	tokens: tokenUsage,
	startedAt: z.number(),
	lastActivity: z.number(),
	/** Where it started, and continues when it is resumed. */
	cwd: z.string(),
	resumable: z.boolean(),
});
export type PastSession = z.infer<typeof pastSession>;

/** `GET /projects/:id/sessions` */
export const pastSessionList = z.object({
	/** The latest activity first. */
	sessions: z.array(pastSession).readonly(),
	problems: z.array(projectProblem).readonly(),
});
export type PastSessionList = z.infer<typeof pastSessionList>;

/** `GET /projects/:id/sessions/:nativeId/events`: a page of the transcript as a feed. Nothing is stored. */
export const pastEventsPage = z.object({
	events: z.array(z.object({ offset: z.number().int().positive(), event: feedEvent })).readonly(),
	/** Whether more events follow. */
	more: z.boolean(),
});
export type PastEventsPage = z.infer<typeof pastEventsPage>;
