// The frames of the `/stream` socket, both ways. One subscription per client and target; replay, then live, without gap or repeat.
import { z } from 'zod';
import { wireError } from '../app-error.ts';
import { askRow } from '../ask.ts';
import { feedEvent } from '../feed/event.ts';
import { runnerId, sessionId, streamId } from '../ids.ts';
import { epoch, logCursor } from '../log-cursor.ts';
import { sessionTile } from '../session-row.ts';
import { storedLine } from '../stored-line.ts';
import { winner } from './answers.ts';
import { commandId, queuedPrompt } from './driving.ts';

/** Raised when an older client or runner would misread a frame. */
export const STREAM_PROTOCOL = 3;

/** Frames from the client. */
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
		/** Null for everything from the beginning, `now` for new lines only; a cursor of another log is refused. */
		after: z.union([logCursor, z.literal('now')]).nullable(),
	}),
	/** The current rows of sessions, newest first and without archived ones; then every row that changes. One per client. */
	z.strictObject({
		type: z.literal('subscribe-sessions'),
		sub: z.string().min(1).max(64),
		/** Most current rows; all of them without it. */
		limit: z.int().positive().optional(),
	}),
	z.strictObject({ type: z.literal('unsubscribe'), sub: z.string().min(1).max(64) }),
	/** Calls an operation of the contract, such as `asks.approve`. Of a command, a repeated id returns the first result. */
	z.strictObject({
		type: z.literal('call'),
		id: commandId,
		operation: z.string().max(64),
		input: z.record(z.string(), z.unknown()),
	}),
	/** Whether its user can see it; a client that never sends this counts as visible. */
	z.strictObject({ type: z.literal('presence'), visible: z.boolean() }),
	z.strictObject({ type: z.literal('ping') }),
]);
export type ClientFrame = z.infer<typeof clientFrame>;

/** Frames from the server. */
export const serverFrame = z.discriminatedUnion('type', [
	z.object({
		type: z.literal('hello'),
		protocol: z.number(),
		runnerId,
		epoch,
		version: z.string(),
		/** The last line of the log; absent from an older runner, and where it cannot be read. */
		head: logCursor.optional(),
	}),
	/** A stored line; the same bytes for every subscriber. */
	z.object({ type: z.literal('line'), line: storedLine }),
	/** Everything stored so far was sent, up to this place of a subscription to lines; what follows is live. */
	z.object({ type: z.literal('caught-up'), sub: z.string(), after: z.number().optional() }),
	/** This client was too slow: the server continues from the log, so that no line is lost; deltas in between are. */
	z.object({ type: z.literal('lagged'), sub: z.string(), after: z.number() }),
	/** Transient: never stored. */
	z.object({ type: z.literal('delta'), event: feedEvent }),
	z.object({ type: z.literal('ask'), ask: askRow }),
	/** All queued prompts of this session; sent on every change, and after hello for sessions that have any. */
	z.object({ type: z.literal('queue'), sessionId, prompts: z.array(queuedPrompt).readonly() }),
	/** The first event of this session was recorded. */
	z.object({ type: z.literal('session'), sessionId }),
	/** Files in the folder of this session may have changed; at most once a second. */
	z.object({ type: z.literal('changes'), sessionId }),
	/** The row of a session, to subscribers only: at most a few times a second, always the latest. */
	z.object({ type: z.literal('session-row'), row: sessionTile }),
	/** `winner`: who answered first, where that was another caller. */
	z.object({
		type: z.literal('result'),
		id: z.string(),
		ok: z.boolean(),
		/** The reply of the operation. */
		value: z.unknown().optional(),
		error: wireError.optional(),
		winner: winner.optional(),
	}),
	/** With the subscription or call that it is about, if any. */
	z.object({ type: z.literal('error'), error: wireError, sub: z.string().optional(), id: z.string().optional() }),
	z.object({ type: z.literal('pong') }),
]);
export type ServerFrame = z.infer<typeof serverFrame>;
