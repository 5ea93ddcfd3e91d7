// The frames of the `/stream` socket, both ways. One subscription per client and target; replay, then live, without gap or repeat.
import { z } from 'zod';
import { wireError } from '../app-error.ts';
import { askRow } from '../ask.ts';
import { feedEvent } from '../feed/event.ts';
import { runnerId, sessionId, streamId } from '../ids.ts';
import { epoch, logCursor } from '../log-cursor.ts';
import { storedLine } from '../stored-line.ts';
import { winner } from './answers.ts';
import { commandId, queuedPrompt } from './driving.ts';

/** Raised when an older face or runner would misread a frame. */
export const STREAM_PROTOCOL = 3;

/** What a client sends. */
export const clientFrame = z.discriminatedUnion('type', [
	z.strictObject({
		type: z.literal('subscribe'),
		sub: z.string().min(1).max(64),
		stream: streamId,
		after: z.number().int().nonnegative(),
	}),
	z.strictObject({
		type: z.literal('subscribe-all'),
		sub: z.string().min(1).max(64),
		/** Null for everything from the beginning; a place in another log is refused. */
		after: logCursor.nullable(),
	}),
	z.strictObject({ type: z.literal('unsubscribe'), sub: z.string().min(1).max(64) }),
	/** Calls an operation of the contract, such as `asks.approve`. Of a command, a repeated id returns the first result. */
	z.strictObject({
		type: z.literal('call'),
		id: commandId,
		operation: z.string().max(64),
		input: z.record(z.string(), z.unknown()),
	}),
	z.strictObject({ type: z.literal('ping') }),
]);
export type ClientFrame = z.infer<typeof clientFrame>;

/** What the server sends. */
export const serverFrame = z.discriminatedUnion('type', [
	z.object({ type: z.literal('hello'), protocol: z.number(), runnerId, epoch, version: z.string() }),
	/** A stored line; the same bytes for everybody who listens. */
	z.object({ type: z.literal('line'), line: storedLine }),
	/** Everything stored before this moment was sent; what follows is live. */
	z.object({ type: z.literal('caught-up'), sub: z.string() }),
	/** This client was too slow: the server reads on from the log, so nothing is lost, but deltas in between are. */
	z.object({ type: z.literal('lagged'), sub: z.string(), after: z.number() }),
	/** Transient: never stored. */
	z.object({ type: z.literal('delta'), event: feedEvent }),
	z.object({ type: z.literal('ask'), ask: askRow }),
	/** All prompts that wait for this session's agent; told on every change, and after hello where any wait. */
	z.object({ type: z.literal('queue'), sessionId, prompts: z.array(queuedPrompt).readonly() }),
	/** Of this session something was recorded for the first time. */
	z.object({ type: z.literal('session'), sessionId }),
	/** `winner`: who answered first, where that was someone else. */
	z.object({
		type: z.literal('result'),
		id: z.string(),
		ok: z.boolean(),
		/** The reply of the operation. */
		value: z.unknown().optional(),
		error: wireError.optional(),
		winner: winner.optional(),
	}),
	/** Names the subscription or the command it is about, where it is about one. */
	z.object({ type: z.literal('error'), error: wireError, sub: z.string().optional(), id: z.string().optional() }),
	z.object({ type: z.literal('pong') }),
]);
export type ServerFrame = z.infer<typeof serverFrame>;
