// One connection to the hub: the handshake, then lines to the hub and calls from it, until either side ends it.
import { sanitiseLine } from '@roost/core/display/sanitise';
import type { HubPairing } from '@roost/home/hub/pairing';
import type { Timers } from '@roost/machine/timers';
import type { FeedEvent } from '@roost/protocol/feed/event';
import { splitFrameText, toFrameText } from '@roost/protocol/hub/frame-text';
import { type HubFrame, hubFrame, type RunnerFrame } from '@roost/protocol/hub/link-frames';
import { type StreamId, sessionStream } from '@roost/protocol/ids';
import type { Result } from '@roost/protocol/result';
import type { Store } from '@roost/store/store';
import { whyRolledBack } from './compare-logs.ts';
import { type Dial, toLinkUrl } from './dial.ts';
import { type Register, type Registration, toRegister, whyNotRegister, whyNotTrusted } from './handshake.ts';
import { startHeartbeat } from './heartbeat.ts';
import { createBatchReader } from './read-batch.ts';
import { createSender, type Sender } from './sender.ts';

/** Why a connection ended, and what to do next. */
export type LinkEnd = {
	reason: string;
	/** `wait`: after a growing delay. `stop`: not until the pairing changes. */
	next: 'wait' | 'now' | 'stop';
	/** The hub has seen more than this log, up to this epoch: a new one is needed first. */
	rolledBack?: { knownEpoch: number };
};

/** A frame after the handshake that is not about the log. */
export type CallFrame = Extract<HubFrame, { type: 'request' | 'session.command' | 'receipt.ack' | 'terminal.open' }>;

export type ConnectionDeps = {
	pairing: HubPairing;
	store: Pick<Store, 'read' | 'rowsChanged' | 'hashAt'>;
	/** As of now. */
	register(): Result<Registration>;
	dial: Dial;
	timers: Timers;
	random: () => number;
	heartbeatMs: number;
	soon(run: () => void): void;
	onAcknowledged(epoch: number, seqNo: number): void;
};

export type ConnectionEvents = {
	onOpen(send: (frame: RunnerFrame) => void): void;
	onCall(frame: CallFrame): void;
	/** A frame for this runner that it cannot read. */
	onUnreadable(frame: unknown): void;
	onEnd(end: LinkEnd): void;
};

export type Connection = {
	/** There may be new lines. */
	hint(): void;
	offerDeltas(events: readonly FeedEvent[]): void;
	close(): void;
};

/** Deltas are dropped while more than this waits to be sent. */
const MOST_BUFFERED = 256 * 1024;
const LONGEST_GOODBYE_MS = 60_000;
const LONGEST_REASON = 400;

export function openConnection(deps: ConnectionDeps, events: ConnectionEvents): Connection {
	const { pairing, timers } = deps;
	let sent: Register | undefined;
	let sender: Sender | undefined;
	let interest: ReadonlySet<StreamId> = new Set();
	let isOver = false;
	let cancelGoodbye = () => {};

	const wire = deps.dial(toLinkUrl(pairing.url), {
		onText: receive,
		onClosed: (why) => end(later(why)),
	});
	const heartbeat = startHeartbeat({
		timers,
		intervalMs: deps.heartbeatMs,
		ping: () => send({ type: 'ping' }),
		onSilent: () => end(later('The hub does not answer.')),
	});

	function send(frame: RunnerFrame, lines?: readonly string[]): void {
		if (!isOver) wire.send(toFrameText(frame, lines));
	}

	function close(): void {
		isOver = true;
		sender?.close();
		heartbeat[Symbol.dispose]();
		cancelGoodbye();
		wire.close();
	}

	function end(how: LinkEnd): void {
		if (isOver) return;
		close();
		events.onEnd({ ...how, reason: sanitiseLine(how.reason).slice(0, LONGEST_REASON).toWellFormed() });
	}

	function receive(text: string): void {
		// Until it is open, the same time is left for the handshake.
		if (sender) heartbeat.heard();
		const over = readFrame(splitFrameText(text).head);
		if (over) end(over);
	}

	/** A connection that is over, with the reason. */
	function readFrame(head: unknown): LinkEnd | undefined {
		if (typeof head !== 'object' || head === null) return later('The hub sent a message that is no frame.');
		const frame = hubFrame.safeParse(head);
		if (frame.success) return handle(frame.data);
		// A newer hub may send frames that this runner does not know.
		if (sender) events.onUnreadable(head);
		return undefined;
	}

	function handle(frame: HubFrame): LinkEnd | undefined {
		if (frame.type === 'hub.challenge') return sent ? undefined : answerChallenge(frame);
		if (frame.type === 'runner.registered') return sent && !sender ? start(frame, sent) : undefined;
		if (frame.type === 'refused') {
			return { reason: `The hub refused this runner: ${frame.error.message}`, next: frame.final ? 'stop' : 'wait' };
		}
		if (frame.type === 'ping') send({ type: 'pong' });
		else if (frame.type === 'goaway') leaveWithin(frame.afterMs);
		// Nothing else is accepted before the hub has proven its key.
		else if (frame.type !== 'pong' && sender) serve(frame, sender);
		return undefined;
	}

	function answerChallenge(challenge: Extract<HubFrame, { type: 'hub.challenge' }>): LinkEnd | undefined {
		const refusal = whyNotRegister(challenge, pairing);
		if (refusal) return { reason: refusal.message, next: refusal.code === 'upgrade_required' ? 'stop' : 'wait' };
		const own = deps.register();
		if (!own.ok) return later(own.error.message);
		sent = toRegister(challenge, own.value, pairing);
		send(sent);
		return undefined;
	}

	function start(answer: Extract<HubFrame, { type: 'runner.registered' }>, registered: Register): LinkEnd | undefined {
		const distrust = whyNotTrusted(answer, registered, pairing);
		if (distrust) return later(distrust.message);
		const { runnerId, epoch, lastSeqNo } = registered;
		if (answer.epoch < epoch) return later(`The hub did not accept epoch ${epoch} of this record.`);
		const why = whyRolledBack(deps.store, { runnerId, epoch, seqNo: lastSeqNo }, answer);
		if (!why.ok) return later(why.error.message);
		if (why.value !== undefined) return { reason: why.value, next: 'now', rolledBack: { knownEpoch: answer.epoch } };
		sender = createSender({
			reader: createBatchReader(deps.store, runnerId),
			after: answer.hubSeqNo,
			liveAfter: lastSeqNo,
			send,
			onAcknowledged: (seqNo) => deps.onAcknowledged(epoch, seqNo),
			onFailed: (error) => end(later(error.message)),
			soon: deps.soon,
		});
		deps.onAcknowledged(epoch, answer.hubSeqNo);
		events.onOpen(send);
		return undefined;
	}

	function serve(frame: CallFrame | Extract<HubFrame, { type: 'interest' | 'backfill.ack' }>, opened: Sender): void {
		if (frame.type === 'backfill.ack') opened.acknowledge(frame.lastSeqNo, frame.resend ?? false);
		else if (frame.type === 'interest') interest = new Set(frame.streams);
		else events.onCall(frame);
	}

	/** The hub stays up that long; runners leave it one by one. */
	function leaveWithin(afterMs: number): void {
		cancelGoodbye();
		const within = Math.min(Math.max(afterMs, 0), LONGEST_GOODBYE_MS);
		cancelGoodbye = timers.after(deps.random() * within, () => end({ reason: 'The hub is restarting.', next: 'now' }));
	}

	return {
		hint: () => sender?.hint(),
		offerDeltas(offered) {
			if (!sender) return;
			for (const event of offered) {
				const stream = sessionStream(event.session_id);
				if (interest.has(stream) && wire.buffered() < MOST_BUFFERED) send({ type: 'event.delta', stream, event });
			}
		},
		close,
	};
}

function later(reason: string): LinkEnd {
	return { reason, next: 'wait' };
}
