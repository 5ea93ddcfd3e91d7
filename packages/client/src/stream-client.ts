// The live side of the API: follows the log without gap or repeat, receives asks and deltas, and answers, across reconnects.

import { type Backoff, DEFAULT_BACKOFF } from '@roost/core/process/backoff';
import type { ServerFrame } from '@roost/protocol/api/stream-frames';
import { AppError } from '@roost/protocol/app-error';
import type { AskRow } from '@roost/protocol/ask';
import { assertNever } from '@roost/protocol/assert-never';
import { asks } from '@roost/protocol/contract/asks';
import type { Contract } from '@roost/protocol/contract/contract';
import type { CallInput, CallReply } from '@roost/protocol/contract/operation';
import type { FeedEvent } from '@roost/protocol/feed/event';
import type { SessionId } from '@roost/protocol/ids';
import type { Reply } from './api-call.ts';
import { type ConnectionDeps, createConnection, type StreamStatus } from './connection.ts';
import { createFollowing, type FollowFrom, type FollowHandlers, type Following } from './following.ts';
import { createListeners, type Guard, type Listeners } from './listeners.ts';
import { createPendingCalls, type PendingCalls } from './pending-calls.ts';
import { createRowFollowing, type RowFollowing, type RowHandlers, type RowQuery } from './row-following.ts';

export type StreamClient = AsyncDisposable & {
	/** Every line after the given place, once and in order. Returns the unsubscribe function. */
	follow(from: FollowFrom, handlers: FollowHandlers): () => void;
	/** Pending asks on each connection, then every change; asks that ended without connection are not reported. */
	onAsk(handler: (ask: AskRow) => void): () => void;
	/** All queued prompts of a session, on every change; after a reconnect only of sessions that have any. */
	onQueue(handler: (queue: QueueFrame) => void): () => void;
	/** The first event of a session was recorded; not reported for sessions that began without connection. */
	onSession(handler: (id: SessionId) => void): () => void;
	/** Files of a session may have changed; not reported for changes without connection. */
	onChanges(handler: (id: SessionId) => void): () => void;
	/** The list of sessions: the current rows on each connection, then every change. Returns the unsubscribe function. */
	followSessions(query: RowQuery, handlers: RowHandlers): () => void;
	/** Transient events, which are never stored; lost without connection. */
	onDelta(handler: (event: FeedEvent) => void): () => void;
	/** Whether the user can see this face; a hidden one does not count as watching. Visible at first. */
	setVisible(visible: boolean): void;
	/** Called with the current status at once, then on every change. */
	onStatus(handler: (status: StreamStatus) => void): () => void;
	/** Answers an ask. Waits for the result, also across reconnects; closing ends the wait. */
	approve(input: CallInput<Contract['asks']['approve']>): Promise<Reply<CallReply<Contract['asks']['approve']>>>;
	answer(input: CallInput<Contract['asks']['answer']>): Promise<Reply<CallReply<Contract['asks']['answer']>>>;
	/** To be called after sleep or a change of network: reconnects at once unless the runner answers within 3 seconds. */
	wake(): void;
};

export type QueueFrame = Extract<ServerFrame, { type: 'queue' }>;

export type StreamClientDeps = Omit<ConnectionDeps, 'backoff' | 'pingIntervalMs'> & {
	/** Makes the id of a call: unique, at most 64 characters. */
	newId: () => string;
	backoff?: Backoff;
	pingIntervalMs?: number;
	/** Called with the error of a handler; without it the error is thrown again, outside the stream. */
	onHandlerError?: (error: unknown) => void;
};

const PING_INTERVAL_MS = 15_000;
/** Before a subscription that was refused is asked for again. */
const REFUSED_MS = 2_000;

export function createStreamClient(deps: StreamClientDeps): StreamClient {
	let closed = false;
	let visible = true;
	const guard = createGuard(deps, () => closed);
	const statuses = createListeners<StreamStatus>(guard);
	const receivers: Receivers = {
		asks: createListeners(guard),
		queues: createListeners(guard),
		sessions: createListeners(guard),
		changes: createListeners(guard),
		deltas: createListeners(guard),
		following: createFollowing({
			send: (frame) => connection.send(frame),
			onGap: (reason) => connection.drop(reason),
			guard,
			later: (run) => void deps.timers.after(REFUSED_MS, () => !closed && run()),
		}),
		rows: createRowFollowing({ send: (frame) => connection.send(frame), guard }),
		calls: createPendingCalls((call) => connection.send(call)),
		note: (reason) => connection.note(reason),
	};
	const { following, rows, calls } = receivers;

	const connection = createConnection(
		{ ...deps, backoff: deps.backoff ?? DEFAULT_BACKOFF, pingIntervalMs: deps.pingIntervalMs ?? PING_INTERVAL_MS },
		{
			onLive(log) {
				following.resume(log);
				rows.resume();
				calls.resend();
				if (!visible) connection.send({ type: 'presence', visible });
			},
			onFrame: (frame) => dispatch(frame, receivers),
			onStatus(status) {
				if (status.state === 'incompatible')
					calls.giveUp(new AppError('cannot_start', status.reason ?? 'The runner is incompatible.'));
				statuses.emit(status);
			},
		},
	);

	return {
		follow: following.follow,
		onAsk: receivers.asks.add,
		onQueue: receivers.queues.add,
		onSession: receivers.sessions.add,
		onChanges: receivers.changes.add,
		followSessions: rows.follow,
		onDelta: receivers.deltas.add,
		setVisible(now) {
			if (now === visible) return;
			visible = now;
			connection.send({ type: 'presence', visible });
		},
		onStatus(handler) {
			const end = statuses.add(handler);
			guard(() => handler(connection.status()));
			return end;
		},
		approve: (input) => calls.run(asks.approve.reply, { type: 'call', id: deps.newId(), operation: 'asks.approve', input }),
		answer: (input) => calls.run(asks.answer.reply, { type: 'call', id: deps.newId(), operation: 'asks.answer', input }),
		wake: connection.wake,
		async [Symbol.asyncDispose]() {
			closed = true;
			connection.close();
			calls.giveUp(closedEarly());
		},
	};
}

type Receivers = {
	following: Following;
	rows: RowFollowing;
	calls: PendingCalls;
	asks: Listeners<AskRow>;
	queues: Listeners<QueueFrame>;
	sessions: Listeners<SessionId>;
	changes: Listeners<SessionId>;
	deltas: Listeners<FeedEvent>;
	note(reason: string): void;
};

function dispatch(frame: ServerFrame, to: Receivers): void {
	switch (frame.type) {
		case 'line':
			to.following.take(frame.line);
			break;
		case 'caught-up':
			to.following.caughtUp(frame.sub, frame.after);
			to.rows.caughtUp(frame.sub);
			break;
		case 'lagged':
			to.following.lagged(frame.sub);
			break;
		case 'delta':
			to.deltas.emit(frame.event);
			break;
		case 'ask':
			to.asks.emit(frame.ask);
			break;
		case 'queue':
			to.queues.emit(frame);
			break;
		case 'session':
			to.sessions.emit(frame.sessionId);
			break;
		case 'changes':
			to.changes.emit(frame.sessionId);
			break;
		case 'session-row':
			to.rows.take(frame.row);
			break;
		case 'result':
			to.calls.settle(frame);
			break;
		case 'error':
			// A call whose frame was refused gets no result.
			if (frame.id !== undefined) to.calls.settle({ id: frame.id, ok: false, error: frame.error });
			if (frame.sub !== undefined) to.following.refused(frame.sub);
			to.note(frame.error.message);
			break;
		case 'hello':
		case 'pong':
			break;
		default:
			assertNever(frame);
	}
}

/** After closing no handler is called. */
function createGuard({ onHandlerError, timers }: StreamClientDeps, isClosed: () => boolean): Guard {
	const report = onHandlerError ?? rethrowLater(timers);
	return (action) => {
		if (isClosed()) return;
		try {
			action();
		} catch (error) {
			report(error);
		}
	};
}

function rethrowLater(timers: StreamClientDeps['timers']): (error: unknown) => void {
	return (error) => {
		timers.after(0, () => {
			throw error;
		});
	};
}

function closedEarly(): AppError {
	return new AppError('timed_out', 'The connection was closed before the runner answered. Check the ask for its outcome.');
}
