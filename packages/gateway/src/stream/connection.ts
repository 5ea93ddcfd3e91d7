// One client of the stream: its subscriptions, updates it missed while it was slow, and its calls.
import { type ClientFrame, type ServerFrame, STREAM_PROTOCOL } from '@roost/protocol/api/stream-frames';
import { AppError } from '@roost/protocol/app-error';
import { assertNever } from '@roost/protocol/assert-never';
import { err, ok, type Result } from '@roost/protocol/result';
import { toWireError } from '../http/errors.ts';
import type { GatewayLimits } from '../http/limits.ts';
import type { Backend, Pending } from '../operations/backend.ts';
import type { CallByFrame, CallFrame } from './calls.ts';
import { type About, parseClientFrame, toFrame } from './frames.ts';
import { type Live, type LiveRows, toLatest } from './live.ts';
import { createOutbox } from './outbox.ts';
import { createRowSubscription, type RowSubscription } from './row-subscription.ts';
import { alreadySubscribed, createSubscriptions } from './subscriptions.ts';

export type Connection = {
	/** Sends the first frames: hello, then pending asks and queued prompts. */
	greet(): void;
	push(live: Live): void;
	/** Whether its user can see it. */
	isVisible(): boolean;
	/** Whether it wants rows that change. */
	readsRows(): boolean;
	pushRows(rows: LiveRows): void;
	/** A frame of the client; undefined if it was not text. */
	receive(text: string | undefined): void;
	/** Unsent bytes. */
	backlog(): number;
	/** Sends nothing more, and closes the socket. */
	leave(reason: string): void;
	/** The socket is closed. */
	end(): void;
};

export type ConnectionDeps = {
	backend: Pick<Backend, 'runner' | 'log' | 'sessionRows' | 'pending' | 'watch'>;
	/** Calls an operation for this client. */
	call: CallByFrame;
	limits: GatewayLimits;
	wire: Wire;
	/** It was too slow for live lines and continues from the log. */
	onLag?: (() => void) | undefined;
};

const RESTARTED = 1012;

type SubscribeSessionsFrame = Extract<ClientFrame, { type: 'subscribe-sessions' }>;

export type Wire = {
	write(frame: Buffer, taken: () => void): void;
	close(code: number, reason: string): void;
	/** At once, without waiting for the client. */
	cut(): void;
	/** In another turn of the event loop, unless it is closed by then: a long replay must not delay other clients. */
	later(action: () => void): void;
};

/** Missed updates of asks and queues; a client that misses more is cut off and gets the current state when it reconnects. */
const MAX_MISSED = 1_000;

export function createConnection(deps: ConnectionDeps): Connection {
	const { backend, limits, wire } = deps;
	const outbox = createOutbox({
		write: wire.write,
		queueBytes: limits.queueBytes,
		onRoom: () => wire.later(catchUp),
		onOverflow: wire.cut,
	});
	const subs = createSubscriptions({
		runnerId: backend.runner.id,
		log: backend.log,
		outbox,
		max: limits.subscriptions,
		pageLines: limits.pageLines,
		onAhead: (sub, error) => send({ type: 'error', error: toWireError(error), sub }),
		onUnreadable,
		onLag: deps.onLag,
		watch: backend.watch,
	});
	const missed = new Map<string, () => Buffer>();
	const changed = new Set<string>();
	let rowReader: RowSubscription | undefined;
	let visible = true;
	let greeted = false;
	let badFrames = 0;
	let openCalls = 0;

	function send(frame: ServerFrame): void {
		outbox.send(toFrame(frame));
	}

	/** The client reconnects and resumes from its last line. */
	function onUnreadable(error: AppError): void {
		send({ type: 'error', error: toWireError(error) });
		wire.close(1011, 'the record cannot be read');
	}

	function greet(): void {
		const { id: runnerId, version } = backend.runner;
		const epoch = backend.log.epoch();
		if (!epoch.ok) {
			onUnreadable(epoch.error);
			return;
		}
		const last = backend.log.head();
		const head = last.ok ? { runnerId, epoch: epoch.value, seqNo: last.value } : undefined;
		send({ type: 'hello', protocol: STREAM_PROTOCOL, runnerId, epoch: epoch.value, version, head });
		const pending = backend.pending();
		if (pending instanceof Promise) void pending.then(pushPending);
		else pushPending(pending);
	}

	/** Without what changed during the read: it was sent already. */
	function pushPending({ asks, prompts }: Pending): void {
		for (const { id, frame } of toLatest(asks, prompts)) if (!changed.has(id)) pushLatest(id, frame);
		greeted = true;
		changed.clear();
	}

	function push(live: Live): void {
		subs.offer(live.lines);
		for (const { stream, frame } of live.deltas) if (outbox.hasRoom() && subs.isLiveOn(stream)) outbox.send(frame());
		for (const { id, frame } of live.latest) {
			if (!greeted) changed.add(id);
			pushLatest(id, frame);
		}
		subs.replay();
	}

	function pushRows(rows: LiveRows): void {
		if (!rowReader) return;
		for (const { sessionId, id, frame } of rows) {
			rowReader.noteSent(sessionId);
			pushLatest(id, frame);
		}
	}

	function pushLatest(id: string, frame: () => Buffer): void {
		if (outbox.hasRoom()) {
			missed.delete(id);
			outbox.send(frame());
			return;
		}
		missed.set(id, frame);
		if (missed.size > MAX_MISSED) wire.cut();
	}

	function catchUp(): void {
		for (const [id, frame] of [...missed]) pushLatest(id, frame);
		rowReader?.replay();
		subs.replay();
	}

	function receive(text: string | undefined): void {
		const frame = text === undefined ? undefined : parseClientFrame(text, limits.jsonDepth);
		if (!frame?.ok) {
			refuse(frame?.error ?? new AppError('bad_request', 'Frames are JSON text, not binary.'), frame?.about);
			return;
		}
		switch (frame.value.type) {
			case 'subscribe':
			case 'subscribe-all':
				takeSubscription(
					frame.value.sub,
					rowReader?.sub === frame.value.sub ? err(nameTaken(rowReader.sub)) : subs.add(frame.value),
				);
				break;
			case 'subscribe-sessions':
				takeSubscription(frame.value.sub, readRows(frame.value));
				break;
			case 'unsubscribe':
				subs.remove(frame.value.sub);
				if (rowReader?.sub === frame.value.sub) endRows();
				break;
			case 'call':
				void call(frame.value);
				break;
			case 'presence':
				visible = frame.value.visible;
				break;
			case 'ping':
				send({ type: 'pong' });
				break;
			default:
				assertNever(frame.value);
		}
	}

	function refuse(error: AppError, about: About = {}): void {
		badFrames++;
		send({ type: 'error', error: toWireError(error), ...about });
		if (badFrames > limits.badFrames) wire.close(1008, 'too many bad frames');
	}

	function takeSubscription(sub: string, added: Result<void>): void {
		if (added.ok) catchUp();
		else send({ type: 'error', error: toWireError(added.error), sub });
	}

	function readRows({ sub, limit }: SubscribeSessionsFrame): Result<void> {
		if (rowReader && rowReader.sub !== sub) return err(alreadySubscribed(rowReader.sub));
		if (subs.has(sub)) return err(nameTaken(sub));
		endRows();
		rowReader = createRowSubscription({ sub, limit, rows: backend.sessionRows, outbox, onUnreadable });
		return ok(undefined);
	}

	function endRows(): void {
		rowReader?.end();
		rowReader = undefined;
	}

	async function call(frame: CallFrame): Promise<void> {
		if (openCalls >= limits.openCommands) {
			const error = new AppError('store_busy', `${limits.openCommands} of your calls are pending: retry later.`);
			send({ type: 'result', id: frame.id, ok: false, error: toWireError(error) });
			return;
		}
		openCalls++;
		const result = await deps.call(frame);
		openCalls--;
		send(result);
	}

	function end(): void {
		subs.end();
		endRows();
	}

	return {
		greet,
		leave(reason) {
			end();
			wire.close(RESTARTED, reason);
		},
		push,
		isVisible: () => visible,
		readsRows: () => rowReader !== undefined,
		pushRows,
		receive,
		backlog: outbox.waiting,
		end,
	};
}

function nameTaken(sub: string): AppError {
	return new AppError('bad_request', `frame.sub: "${sub}" is the name of another subscription.`);
}
