// An ask: a request of an agent that waits for a decision, and its outcome.
import { z } from 'zod';
import { actorId, askId, eventId, sessionId } from './ids.ts';

export const askState = z.enum(['pending', 'allowed', 'denied', 'answered', 'expired', 'cancelled', 'answered-elsewhere']);
export type AskState = z.infer<typeof askState>;

export const risk = z.enum(['low', 'medium', 'high']);
export type Risk = z.infer<typeof risk>;

/** The answer to an ask. */
export const askVerdict = z.discriminatedUnion('type', [
	z.object({
		type: z.literal('allow'),
		updatedInput: z.record(z.string(), z.unknown()).optional(),
		updatedPermissions: z.array(z.unknown()).optional(),
	}),
	z.object({ type: z.literal('deny'), message: z.string(), interrupt: z.boolean().optional() }),
	z.object({ type: z.literal('answer'), answers: z.record(z.string(), z.string()) }),
]);
export type AskVerdict = z.infer<typeof askVerdict>;

/**
 * The decision that a waiting agent gets, from the rules and the API to the feed. `none` is no opinion and never an allow: the agent's own
 * permission system decides. `ask`: the agent asks in its own dialog. The folder of each agent has its reply for each.
 */
export type Verdict = AskVerdict | { type: 'ask'; message?: string | undefined } | { type: 'none' };

export const ask = z.object({
	id: askId,
	sessionId,
	kind: z.enum(['permission', 'question']),
	tool: z.string(),
	input: z.record(z.string(), z.unknown()),
	state: askState,
	risk,
	actorId,
	/** The feed event that opened it. */
	eventId,
	/** Why it is asked: no rule matched, or which rule says ask. */
	reason: z.string(),
	openedAt: z.number(),
	/** When the agent stops waiting. */
	expiresAt: z.number(),
});
export type Ask = z.infer<typeof ask>;

/** An ask as it is stored: with what an answer needs, and its outcome. */
export const askRow = ask.extend({
	/** An answer must repeat it: proof that it was made for exactly this ask. */
	nonce: z.string(),
	/** Of the tool and its canonical input, before redaction. */
	inputHash: z.string(),
	decidedAt: z.number().optional(),
	/** Who decided, as `name@face`, or `rule`, `timeout`, `terminal`, `system`. */
	decidedBy: z.string().optional(),
	verdict: askVerdict.optional(),
});
export type AskRow = z.infer<typeof askRow>;

/** Who answered. The face is the client's claim; `peer` is the process that sent the answer, where the system can tell. */
export const principal = z.object({ name: z.string().min(1), face: z.string().min(1), peer: z.string().optional() });
export type Principal = z.infer<typeof principal>;
