// Sessions that Roost drives, over the wire: started, prompted, interrupted, resumed, forked, ended; and queued prompts.
import { z } from 'zod';
import { review } from '../feed/review.ts';
import { projectRef, promptId, sessionId } from '../ids.ts';
import { MOST_TURNS } from '../most-turns.ts';
import { driveMode, sessionRow } from '../session-row.ts';
import { agentStatus } from './agent-status.ts';
import { nativeSessionId } from './projects.ts';

/** In characters. Codex accepts no more; the context window of most models is smaller. */
export const MOST_PROMPT = 1024 * 1024;

const promptText = z.string().max(MOST_PROMPT).regex(/\S/, 'expected some words');

/** Made by the caller: a repeat returns the first result and does nothing twice. */
export const commandId = z.string().min(1).max(64);

/** Claude itself calls its mode `default` "manual" on its command line. */
const permissionMode = z
	.string()
	.min(1)
	.overwrite((mode) => (mode === 'manual' ? 'default' : mode));

/** Records its terminal to a file, secrets included; only in a terminal (`pty`). */
const recording = z.boolean().optional();

/** `POST /sessions` */
export const createSessionBody = z.strictObject({
	commandId,
	projectId: projectRef,
	/** The folder in the project where its agent works; else its top. */
	cwd: z.string().min(1).optional(),
	/** Default: `runtime.default` in config.yaml. */
	agent: z.string().min(1).optional(),
	/** Driven by Roost, or by people in a terminal; then it takes no prompt here. */
	mode: driveMode.optional(),
	recording,
	prompt: promptText.optional(),
	model: z.string().min(1).optional(),
	permissionMode: permissionMode.optional(),
	/** The tools it may use; all if absent. */
	allowedTools: z.array(z.string().min(1)).min(1).optional(),
	/** Model calls per prompt; only for agents that can limit them. */
	maxTurns: z.int().min(1).max(MOST_TURNS).optional(),
	/** A past conversation to resume. A driven session of it is resumed; else a new one is started, a child of the observed one. */
	resume: z.strictObject({ nativeId: nativeSessionId }).optional(),
});
export type CreateSession = Omit<z.infer<typeof createSessionBody>, 'commandId'>;

/** `POST /sessions/:id/messages`, `PATCH /sessions/:id/queue/:promptId` */
export const messageBody = z.strictObject({ commandId, text: promptText });

/** `POST /sessions/:id/interrupt`, `/resume`, `/end`, `/queue/:promptId/now` */
export const commandBody = z.strictObject({ commandId });

/** `POST /sessions/:id/settings` */
export const adjustBody = z
	.strictObject({ commandId, model: z.string().min(1).optional(), permissionMode: permissionMode.optional() })
	.refine(({ model, permissionMode }) => model !== undefined || permissionMode !== undefined, 'expected model or permissionMode');
export type Adjustment = { model?: string | undefined; permissionMode?: string | undefined };

/** `GET /sessions/:id/models`: the models that its agent reports; none if it does not report them or has exited. */
export const modelNames = z.array(z.string());

/** `POST /sessions/:id/mode` */
export const modeBody = z.strictObject({ commandId, mode: driveMode, recording });

/** `POST /sessions/:id/fork` */
export const forkBody = z.strictObject({
	commandId,
	/** The agent's own id of the last message of the copy; else it has all messages. Each agent has its own form of ids. */
	upTo: z
		.string()
		.regex(/^[\w-]{1,64}$/, 'expected the id of a message')
		.optional(),
});

/** `POST /sessions/:id/queue/:promptId/move` */
export const moveBody = z.strictObject({
	commandId,
	/** Its new place in the queue, from 0. */
	to: z.int().nonnegative().max(1_000),
});

/** `POST /sessions/:id/rename`, `/archive` */
export const renameBody = z.strictObject({ commandId, title: z.string().max(200).regex(/\S/, 'expected some words') });
export const archiveBody = z.strictObject({ commandId, archived: z.boolean() });

/** A prompt that waits for the one before to finish. */
export const queuedPrompt = z.object({ id: promptId, text: z.string(), queuedAt: z.number(), review: review.optional() });
export type QueuedPrompt = z.infer<typeof queuedPrompt>;

/** The result of a prompt: queued, or null where the agent has it. */
export const promptTaken = z.object({ promptId, queued: queuedPrompt.nullable() });
export type PromptTaken = z.infer<typeof promptTaken>;

/** The session that was started, resumed, forked or changed. */
export const drivenSession = z.object({ sessionId });
export type DrivenSession = z.infer<typeof drivenSession>;

/** Whether a session takes prompts, and if not, why. */
export const driving = z.discriminatedUnion('takesPrompts', [
	z.object({ takesPrompts: z.literal(true) }),
	z.object({ takesPrompts: z.literal(false), why: z.string() }),
]);
export type Driving = z.infer<typeof driving>;

/** `GET /sessions/:id`; without an agent status where it has ended, or its kind of agent reports none. */
export const sessionDetail = sessionRow.extend({ driving, agentStatus: agentStatus.optional() });
export type SessionDetail = z.infer<typeof sessionDetail>;
