// The live side of the API: follows the log without gap or repeat, hears asks and deltas, and answers, across reconnects.
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
import { type Backoff, DEFAULT_BACKOFF } from './backoff.ts';
import { type ConnectionDeps, createConnection, type StreamStatus } from './connection.ts';
import { createFollowing, type FollowFrom, type FollowHandlers, type Following } from './following.ts';
import { createListeners, type Guard, type Listeners } from './listeners.ts';
import { createPendingCalls, type PendingCalls } from './pending-calls.ts';

export type StreamClient = AsyncDisposable & {
	/** Every line after the given place, once and in order. Returns the function that ends it. */
	follow(from: FollowFrom, handlers: FollowHandlers): () => void;
	/** What waits when the connection is made, then every change; what ended in between is not told again. */
	onAsk(handler: (ask: AskRow) => void): () => void;
	/** All prompts that wait for a session's agent, on every change; after a reconnect only of sessions where some wait. */
	onQueue(handler: (queue: QueueFrame) => void): () => void;
	/** A session began: something was recorded of it for the first time. Those of a time without connection are not told. */
	onSession(handler: (id: SessionId) => void): () => void;
	/** Passing events that are never stored; those of a time without connection are lost. */
	onDelta(handler: (event: FeedEvent) => void): () => void;
	/** Told the present status at once, then every change. */
	onStatus(handler: (status: StreamStatus) => void): () => void;
	/** Answers an ask. Waits for the result, also over reconnects; closing ends the wait. */
	approve(input: CallInput<Contract['asks']['approve']>): Promise<Reply<CallReply<Contract['asks']['approve']>>>;
	answer(input: CallInput<Contract['asks']['answer']>): Promise<Reply<CallReply<Contract['asks']['answer']>>>;
};

export type QueueFrame = Extract<ServerFrame, { type: 'queue' }>;

export type StreamClientDeps = Omit<ConnectionDeps, 'backoff' | 'pingIntervalMs'> & {
	/** Makes the id of a call: unique, at most 64 characters. */
	newId: () => string;
	backoff?: Backoff;
	pingIntervalMs?: number;
	/** Told what a handler threw; without it the error is thrown again, outside the stream. */
	onHandlerError?: (error: unknown) => void;
};

const PING_INTERVAL_MS = 15_000;

export function createStreamClient(deps: StreamClientDeps): StreamClient {
	let closed = false;
	const guard = createGuard(deps, () => closed);
	const askListeners = createListeners<AskRow>(guard);
	const queues = createListeners<QueueFrame>(guard);
	const sessions = createListeners<SessionId>(guard);
	const deltas = createListeners<FeedEvent>(guard);
	const statuses = createListeners<StreamStatus>(guard);
	const following = createFollowing({
		send: (frame) => connection.send(frame),
		onGap: (reason) => connection.drop(reason),
		guard,
	});
	const calls = createPendingCalls((call) => connection.send(call));

	const connection = createConnection(
		{ ...deps, backoff: deps.backoff ?? DEFAULT_BACKOFF, pingIntervalMs: deps.pingIntervalMs ?? PING_INTERVAL_MS },
		{
			onLive(log) {
				following.resume(log);
				calls.resend();
			},
			onFrame: (frame) =>
				handOn(frame, {
					following,
					calls,
					asks: askListeners,
					queues,
					sessions,
					deltas,
					note: (reason) => connection.note(reason),
				}),
			onStatus(status) {
				if (status.state === 'incompatible')
					calls.giveUp(new AppError('cannot_start', status.reason ?? 'The runner is incompatible.'));
				statuses.tell(status);
			},
		},
	);

	return {
		follow: following.follow,
		onAsk: askListeners.add,
		onQueue: queues.add,
		onSession: sessions.add,
		onDelta: deltas.add,
		onStatus(handler) {
			const end = statuses.add(handler);
			guard(() => handler(connection.status()));
			return end;
		},
		approve: (input) => calls.run(asks.approve.reply, { type: 'call', id: deps.newId(), operation: 'asks.approve', input }),
		answer: (input) => calls.run(asks.answer.reply, { type: 'call', id: deps.newId(), operation: 'asks.answer', input }),
		async [Symbol.asyncDispose]() {
			closed = true;
			connection.close();
			calls.giveUp(closedEarly());
		},
	};
}

type Ends = {
	following: Following;
	calls: PendingCalls;
	asks: Listeners<AskRow>;
	queues: Listeners<QueueFrame>;
	sessions: Listeners<SessionId>;
	deltas: Listeners<FeedEvent>;
	note(reason: string): void;
};

function handOn(frame: ServerFrame, to: Ends): void {
	switch (frame.type) {
		case 'line':
			to.following.take(frame.line);
			break;
		case 'caught-up':
			to.following.caughtUp(frame.sub);
			break;
		case 'lagged':
			to.following.lagged(frame.sub);
			break;
		case 'delta':
			to.deltas.tell(frame.event);
			break;
		case 'ask':
			to.asks.tell(frame.ask);
			break;
		case 'queue':
			to.queues.tell(frame);
			break;
		case 'session':
			to.sessions.tell(frame.sessionId);
			break;
		case 'result':
			to.calls.settle(frame);
			break;
		case 'error':
			// A call whose frame was refused gets no result.
			if (frame.id !== undefined) to.calls.settle({ id: frame.id, ok: false, error: frame.error });
			to.note(frame.error.message);
			break;
		case 'hello':
		case 'pong':
			break;
		default:
			assertNever(frame);
	}
}

/** After the closing no handler is called, not even by what was under way. */
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
	return new AppError(
		'timed_out',
		'The connection was closed before the runner answered. Look at the ask to see what became of it.',
	);
}
