// A launch of an observed agent: the CLI starts the agent in the user's terminal, the runner listens to its hooks.
import { z } from 'zod';
import { sessionId } from '../ids.ts';

/** `POST /launches` */
export const launchBody = z.strictObject({
	/** An agent that is observed in the terminal of its user. */
	agent: z.string().min(1).max(100),
	cwd: z.string().min(1),
	gate: z.enum(['observe', 'enforce']),
	/** A run without a terminal. */
	headless: z.boolean(),
	/** The process that waits for the agent: while it runs, the agent runs. */
	pid: z.number().int().positive(),
	/** What the repository configures for the agent, one line each; recorded in the session that this launch begins. */
	repository: z.array(z.string().max(500)).max(50).default([]),
	/** What Roost added to its start, one line each; recorded in that session too. */
	notices: z.array(z.string().max(500)).max(10).default([]),
});
export type LaunchBody = z.input<typeof launchBody>;

export const launchOpened = z.object({
	launchId: z.string().min(1),
	/** The session this launch begins, if it begins one. */
	sessionId,
	hooks: z.object({
		httpUrl: z.string(),
		socketPath: z.string(),
		secret: z.string(),
		/** How long Roost may take to answer a hook; absent from an older runner. */
		askMs: z.number().positive().optional(),
	}),
});
export type LaunchOpened = z.infer<typeof launchOpened>;

/** A running agent whose calls Roost decides. */
export const enforcedLaunch = z.object({ session: sessionId, agent: z.string() });
export type EnforcedLaunch = z.infer<typeof enforcedLaunch>;

/** `GET /launches/:id`: the session that it reports for, or will begin. */
export const launchDescribed = z.object({ sessionId });
export type LaunchDescribed = z.infer<typeof launchDescribed>;

/** `POST /launches/:id/end`: the session that it reported for last. */
export const launchEnded = z.object({ sessionId: sessionId.nullable() });
export type LaunchEnded = z.infer<typeof launchEnded>;

/** `POST /launches/decider`: a command that decides for its user names its process, because an agent must not decide for itself. */
export const deciderBody = z.strictObject({
	pid: z.number().int().positive(),
	/** The value of `ROOST_SESSION` in its environment. */
	session: z.string().min(1).optional(),
	/** Such as `allow`; empty for the terminal UI, which can run every command. */
	command: z.string().max(64),
});
export type DeciderBody = z.infer<typeof deciderBody>;

/** The session of the agent it belongs to; null for a terminal of the user. */
export const deciderJudged = z.object({ governedBy: sessionId.nullable() });
export type DeciderJudged = z.infer<typeof deciderJudged>;
