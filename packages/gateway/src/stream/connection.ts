// One client of the stream: what it hears, what it missed while it was slow, and what it sends.
import { type ServerFrame, STREAM_PROTOCOL } from '@roost/protocol/api/stream-frames';
import { AppError } from '@roost/protocol/app-error';
import { assertNever } from '@roost/protocol/assert-never';
import type { Result } from '@roost/protocol/result';
import { toWireError } from '../http/errors.ts';
import type { GatewayLimits } from '../http/limits.ts';
import type { Backend, Pending } from '../operations/backend.ts';
import type { CallByFrame, CallFrame } from './calls.ts';
import { type About, parseClientFrame, toFrame } from './frames.ts';
import { type Live, toLatest } from './live.ts';
import { createOutbox } from './outbox.ts';
import { createSubscriptions } from './subscriptions.ts';

export type Connection = {
	/** The first frames: hello, then what waits for an answer or for an agent. */
	greet(): void;
	tell(live: Live): void;
	/** A frame of the client; undefined if it was not text. */
	receive(text: string | undefined): void;
	/** Bytes it was given and has not taken yet. */
	backlog(): number;
	/** The socket is closed. */
	end(): void;
};

export type ConnectionDeps = {
	backend: Pick<Backend, 'runner' | 'log' | 'pending'>;
	/** Calls an operation for this client. */
	call: CallByFrame;
	limits: GatewayLimits;
	wire: Wire;
	/** It was too slow for what is live and reads on from the log. */
	onLag?: (() => void) | undefined;
};

export type Wire = {
	write(frame: Buffer, taken: () => void): void;
	close(code: number, reason: string): void;
	/** At once, without waiting for a client that does not read. */
	cut(): void;
	/** In another turn, unless it is closed by then: a client that reads much must not keep everybody else waiting. */
	later(action: () => void): void;
};

/** Of asks and queues a client missed; one that misses more hears what waits when it comes back. */
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
	});
	const missed = new Map<string, () => Buffer>();
	const changed = new Set<string>();
	let greeted = false;
	let badFrames = 0;
	let openCalls = 0;

	function send(frame: ServerFrame): void {
		outbox.send(toFrame(frame));
	}

	/** The client comes back and resumes from where it is. */
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
		send({ type: 'hello', protocol: STREAM_PROTOCOL, runnerId, epoch: epoch.value, version });
		const pending = backend.pending();
		if (pending instanceof Promise) void pending.then(tellPending);
		else tellPending(pending);
	}

	/** What changed while this was read was told already. */
	function tellPending({ asks, prompts }: Pending): void {
		for (const { id, frame } of toLatest(asks, prompts)) if (!changed.has(id)) tellLatest(id, frame);
		greeted = true;
		changed.clear();
	}

	function tell(live: Live): void {
		subs.offer(live.lines);
		for (const { stream, frame } of live.deltas) if (outbox.hasRoom() && subs.isLiveOn(stream)) outbox.send(frame());
		for (const { id, frame } of live.latest) {
			if (!greeted) changed.add(id);
			tellLatest(id, frame);
		}
		subs.replay();
	}

	function tellLatest(id: string, frame: () => Buffer): void {
		if (outbox.hasRoom()) {
			missed.delete(id);
			outbox.send(frame());
			return;
		}
		missed.set(id, frame);
		if (missed.size > MAX_MISSED) wire.cut();
	}

	function catchUp(): void {
		for (const [id, frame] of [...missed]) tellLatest(id, frame);
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
				takeSubscription(frame.value.sub, subs.add(frame.value));
				break;
			case 'unsubscribe':
				subs.remove(frame.value.sub);
				break;
			case 'call':
				void call(frame.value);
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
		if (added.ok) subs.replay();
		else send({ type: 'error', error: toWireError(added.error), sub });
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

	return { greet, tell, receive, backlog: outbox.waiting, end: subs.end };
}
