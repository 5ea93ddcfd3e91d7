// Keeps one connection to the paired hub: reconnects with growing delays, and opens a new epoch where the log was restored.
import { type Backoff, toDelay } from '@roost/core/process/backoff';
import type { HubPairing } from '@roost/home/hub/pairing';
import type { FeedEvent } from '@roost/protocol/feed/event';
import type { RunnerFrame } from '@roost/protocol/hub/link-frames';
import type { Result } from '@roost/protocol/result';
import { type CallFrame, type Connection, type ConnectionDeps, type LinkEnd, openConnection } from './connection.ts';

export type LinkStatus = {
	state: 'off' | 'connecting' | 'connected' | 'refused';
	/** When it entered this state. */
	since: number;
	/** Why it is not connected; one sentence. */
	reason?: string;
};

export type Link = Disposable & {
	status(): LinkStatus;
	/** The hub has everything up to this seqNo; 0 where it is not known. */
	acknowledged(): number;
	/** Starts anew with this pairing, or ends without one. */
	use(pairing: HubPairing | null, reason?: string): void;
	/** There may be new lines. */
	hint(): void;
	offerDeltas(events: readonly FeedEvent[]): void;
};

export type LinkDeps = Omit<ConnectionDeps, 'pairing'> & {
	now: () => number;
	backoff: Backoff;
	/** Vary the delays at random. */
	jitter: boolean;
	onOpen(send: (frame: RunnerFrame) => void): void;
	onCall(frame: CallFrame): void;
	onUnreadable(frame: unknown): void;
	onClosed(): void;
	/** A new epoch above this one, and a fact that says so. */
	openEpoch(why: string, known: number): Promise<Result<unknown>>;
	log(level: 'info' | 'warn', sentence: string): void;
};

/** A hub that never accepts the log must not cause one epoch after the other. */
const MOST_EPOCHS = 3;

export function createLink(deps: LinkDeps): Link {
	const { timers, log } = deps;
	let status: LinkStatus = { state: 'off', since: deps.now() };
	let connection: Connection | undefined;
	let cancelRetry = () => {};
	let failures = 0;
	let epochs = 0;
	let acknowledged = 0;
	/** Raised with each pairing: what an earlier one still reports is ignored. */
	let generation = 0;

	function setStatus(state: LinkStatus['state'], reason?: string): void {
		const since = state === status.state ? status.since : deps.now();
		// Once per reason, not once per try.
		if (reason !== undefined && reason !== status.reason) log('warn', `hub: ${reason}`);
		status = { state, since, ...(reason === undefined ? {} : { reason }) };
	}

	function connect(pairing: HubPairing): void {
		const own = generation;
		const isCurrent = () => own === generation;
		connection = openConnection(
			{ ...deps, pairing, onAcknowledged: (...upTo) => acknowledge(...upTo) },
			{
				onOpen(send) {
					setStatus('connected');
					log('info', `connected to the hub at ${pairing.url}`);
					deps.onOpen(send);
				},
				onCall: deps.onCall,
				onUnreadable: deps.onUnreadable,
				onEnd: (end) => void (isCurrent() && onEnd(pairing, end, isCurrent)),
			},
		);
	}

	function acknowledge(epoch: number, seqNo: number): void {
		if (seqNo > 0) epochs = 0;
		acknowledged = seqNo;
		deps.onAcknowledged(epoch, seqNo);
	}

	function onEnd(pairing: HubPairing, end: LinkEnd, isCurrent: () => boolean): void {
		connection = undefined;
		// Only a connection that lasted resets the delay: one that breaks at once must not be retried every second.
		if (status.state === 'connected' && deps.now() - status.since >= deps.backoff.maxDelayMs) failures = 0;
		if (status.state === 'connected') deps.onClosed();
		setStatus(end.next === 'stop' ? 'refused' : 'connecting', end.reason);
		if (end.rolledBack) void startEpoch(pairing, end.reason, end.rolledBack.knownEpoch, isCurrent);
		else if (end.next !== 'stop') retry(pairing, end.next === 'now' ? 0 : nextDelay());
	}

	async function startEpoch(pairing: HubPairing, why: string, known: number, isCurrent: () => boolean): Promise<void> {
		epochs += 1;
		if (epochs > MOST_EPOCHS) {
			setStatus('refused', `${why} The hub reported this ${MOST_EPOCHS} times in a row. Check the hub.`);
			return;
		}
		acknowledged = 0;
		const opened = await deps.openEpoch(why, known);
		if (!isCurrent()) return;
		if (!opened.ok) setStatus('connecting', opened.error.message);
		retry(pairing, opened.ok ? 0 : nextDelay());
	}

	function nextDelay(): number {
		const delay = toDelay(deps.backoff, failures, deps.jitter ? deps.random() : 1);
		failures += 1;
		return delay;
	}

	function retry(pairing: HubPairing, delayMs: number): void {
		cancelRetry = timers.after(delayMs, () => connect(pairing));
	}

	function leave(): void {
		generation += 1;
		cancelRetry();
		connection?.close();
		connection = undefined;
		if (status.state === 'connected') deps.onClosed();
	}

	return {
		status: () => status,
		acknowledged: () => acknowledged,
		use(pairing, reason) {
			leave();
			failures = 0;
			epochs = 0;
			acknowledged = 0;
			setStatus(pairing ? 'connecting' : 'off', reason);
			if (pairing) connect(pairing);
		},
		hint: () => connection?.hint(),
		offerDeltas: (events) => connection?.offerDeltas(events),
		[Symbol.dispose]: leave,
	};
}
