// The fields that every feed event has.
import { z } from 'zod';
import { commandProof } from '../hub/command-proof.ts';
import { actorId, askId, eventId, runId, sessionId } from '../ids.ts';

export const feedLevel = z.enum(['debug', 'info', 'warn', 'error']);
export type FeedLevel = z.infer<typeof feedLevel>;

export const feedCause = z.object({
	parent_event_id: eventId.optional(),
	hook_request_id: z.string().optional(),
	tool_use_id: z.string().optional(),
	transcript_path: z.string().optional(),
});
export type FeedCause = z.infer<typeof feedCause>;

export const feedEventBase = z.object({
	event_id: eventId,
	/** Monotonic per run. */
	seq: z.number().int().positive(),
	ts: z.number(),
	session_id: sessionId,
	run_id: runId,
	level: feedLevel,
	actor_id: actorId,
	cause: feedCause.optional(),
	body: z.string().optional(),
	raw: z.unknown().optional(),
});

/** One member of the union: the base plus a kind and its data. */
export function feedKind<K extends string, D extends z.ZodRawShape>(kind: K, data: D) {
	return feedUnion(kind, z.object(data));
}

/** The same, for data that is a union itself. */
export function feedUnion<K extends string, D extends z.ZodType>(kind: K, data: D) {
	return feedEventBase.extend({ kind: z.literal(kind), data });
}

export const toolInput = z.record(z.string(), z.unknown());
export type ToolInput = z.infer<typeof toolInput>;

/** On every decision: who or what decided it. */
export const decisionOrigin = {
	decided_by: z.enum(['user', 'rule', 'timeout', 'terminal', 'system']),
	rule_id: z.string().optional(),
	/** Where several rules allowed the parts of a shell line, all of them. */
	rule_ids: z.array(z.string()).optional(),
	ask_id: askId.optional(),
	/** For answers of people: `name@face`, with the face that the client claims. */
	principal: z.string().optional(),
	/** The face that the client claimed, and the process that sent the answer: `process 4711`, `hidden` or `unknown`. */
	claimed_face: z.string().optional(),
	peer: z.string().optional(),
	reason: z.string().optional(),
	/** For an answer that came through a hub: the signature of the device that gave it. */
	signed: commandProof.optional(),
};
