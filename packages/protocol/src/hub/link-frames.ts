// The frames between a runner and its hub, both ways. A batch has its stored lines behind its head, as they were written.
import { z } from 'zod';
import { winner } from '../api/answers.ts';
import { commandId } from '../api/driving.ts';
import { wireError } from '../app-error.ts';
import { principal } from '../ask.ts';
import { deviceId, runnerId, sessionId, streamId, terminalId } from '../ids.ts';
import { epoch } from '../log-cursor.ts';
import { accepts } from './accepts.ts';
import { hash, signature } from './command-proof.ts';
import { hubId } from './pairing.ts';
import { commandSeal } from './signed-command.ts';
import { channelId } from './terminal-channel.ts';

/** Raised when an older hub or runner would misread a frame. A hub speaks this one and the one before. */
export const LINK_PROTOCOL = 1;

/** Where a runner dials. */
export const LINK_PATH = '/ws/runner';

/** Of a batch with its lines. */
export const MOST_BATCH_LINES = 200;
export const MOST_BATCH_BYTES = 256 * 1024;
/** One line may be longer than a batch should be. */
export const MOST_LINK_FRAME = 32 * 1024 * 1024;
/** Batches without an acknowledgement. */
export const MOST_UNACKNOWLEDGED = 4;

const seqNo = z.int().nonnegative();
/** Without a newline, so that it fits the signed texts. */
const nonce = z.string().regex(/^[\w-]{22,128}$/, 'expected at least 128 bits as base64url');

/** The last line of a log, and the chain of its stream up to it. */
export const logEnd = z.object({ stream: streamId, offset: z.int().positive(), hash });
export type LogEnd = z.infer<typeof logEnd>;

/** Rows are passed on as they are; the hub reads only what it sorts and filters by. */
const sessionColumns = z.looseObject({
	id: sessionId,
	status: z.string(),
	startedAt: z.number(),
	lastEventAt: z.number(),
	title: z.string(),
});
const askColumns = z.looseObject({ id: z.string().min(1), sessionId, state: z.string(), openedAt: z.number() });
const queueColumns = z.looseObject({ sessionId, prompts: z.array(z.unknown()).readonly() });
const usageColumns = z.looseObject({ sessionId: z.string().min(1), day: z.string(), model: z.string() });

/** Changed by the lines of a batch. Applied batch by batch, they make the tables of the runner. */
export const changedRows = z.object({
	sessions: z.array(sessionColumns),
	asks: z.array(askColumns),
	queues: z.array(queueColumns),
	usage: z.array(usageColumns),
});
export type RowChanges = z.infer<typeof changedRows>;

const batch = z.object({
	/** Of the first line. */
	first: seqNo,
	/** The streams of the lines, each named once. */
	streams: z.array(streamId),
	/** For each line: its stream by its place in `streams`, and its offset there. */
	places: z.array(z.tuple([z.int().nonnegative(), z.int().positive()])).max(MOST_BATCH_LINES),
	/** For each of `streams`: the hash of its chain after its last line here. */
	heads: z.array(hash),
	rows: changedRows,
});

export const linkOutcome = z.union([
	z.object({ ok: z.literal(true), value: z.unknown() }),
	z.object({ ok: z.literal(false), error: wireError, winner: winner.optional() }),
]);
export type LinkOutcome = z.infer<typeof linkOutcome>;

/** From the runner. `event` is live, and only it may notify people; a hub takes live batches of all runners before `event.backfill`. */
export const runnerFrame = z.discriminatedUnion('type', [
	z.object({
		type: z.literal('runner.register'),
		runnerId,
		runnerName: z.string().min(1).max(64),
		version: z.string(),
		protocol: z.object({ min: z.int(), max: z.int() }),
		capabilities: z.array(z.string()),
		activeSessions: z.array(sessionId),
		epoch,
		lastSeqNo: seqNo,
		accepts,
		/** The hub signs it, so that an earlier answer of the hub cannot be replayed. */
		nonce,
		/** By the key that was paired, over the challenge. */
		signature,
	}),
	batch.extend({ type: z.literal('event.backfill') }),
	batch.extend({ type: z.literal('event') }),
	/** Transient: broadcast to who watches the stream, never stored. */
	z.object({ type: z.literal('event.delta'), stream: streamId, event: z.looseObject({ kind: z.string() }) }),
	/** The result of a durable command; sent again until the hub has it. */
	z.object({ type: z.literal('command.receipt'), commandId, outcome: linkOutcome }),
	z.object({ type: z.literal('reply'), id: z.string(), outcome: linkOutcome }),
	z.object({ type: z.literal('ping') }),
	z.object({ type: z.literal('pong') }),
]);
export type RunnerFrame = z.infer<typeof runnerFrame>;
export type Batch = z.infer<typeof batch>;

/** A call of an operation of the contract, by somebody at the hub. */
export const linkCall = z.object({
	/** `<resource>.<operation>` */
	operation: z.string().max(64),
	input: z.record(z.string(), z.unknown()),
	by: principal.extend({ device: deviceId.optional() }),
	seal: commandSeal.optional(),
});
export type LinkCall = z.infer<typeof linkCall>;

export const terminalOpen = z.object({ channel: channelId, terminalId, by: linkCall.shape.by });
export type TerminalOpen = z.infer<typeof terminalOpen>;

/** From the hub. */
export const hubFrame = z.discriminatedUnion('type', [
	z.object({
		type: z.literal('hub.challenge'),
		nonce,
		hub: hubId,
		protocol: z.object({ min: z.int(), max: z.int() }),
	}),
	z.object({
		type: z.literal('runner.registered'),
		epoch,
		/** The hub has the log up to here: the runner continues from it, whatever it believed. */
		hubSeqNo: seqNo,
		at: logEnd.nullable(),
		assignedSessions: z.array(sessionId),
		config: z.record(z.string(), z.unknown()),
		/** By the key of the hub that was pinned, over the nonce of the runner. */
		signature,
	}),
	/** Cumulative, after the commit. `resend`: there was a gap; the runner continues from `lastSeqNo`. */
	z.object({ type: z.literal('backfill.ack'), lastSeqNo: seqNo, resend: z.boolean().optional() }),
	linkCall.extend({ type: z.literal('session.command'), commandId, expiresAt: z.number() }),
	/** Not durable: without a reply in time it failed. */
	linkCall.extend({ type: z.literal('request'), id: z.string() }),
	/** The receipt is stored; the runner need not send it again. */
	z.object({ type: z.literal('receipt.ack'), commandId }),
	/** Somebody opens a terminal: the runner dials the channel, where the face proves who it is. */
	terminalOpen.extend({ type: z.literal('terminal.open') }),
	/** Streams that someone watches: only their deltas are sent. */
	z.object({ type: z.literal('interest'), streams: z.array(streamId) }),
	/** The hub ends; reconnects are spread over this time. */
	z.object({ type: z.literal('goaway'), afterMs: z.number() }),
	/** The connection ends; `code` says whether trying again makes sense. */
	z.object({ type: z.literal('refused'), error: wireError, final: z.boolean() }),
	z.object({ type: z.literal('ping') }),
	z.object({ type: z.literal('pong') }),
]);
export type HubFrame = z.infer<typeof hubFrame>;
