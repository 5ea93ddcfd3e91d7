// A connection to the runner that reconnects with growing delays until it is closed.

import { type Backoff, toDelay } from '@roost/core/process/backoff';
import type { ClientFrame, ServerFrame } from '@roost/protocol/api/stream-frames';
import { type LogName, whyElsewhere } from '@roost/protocol/log-cursor';
import { type Attempt, type AttemptDeps, openAttempt } from './attempt.ts';

export type StreamStatus = {
	state: 'connecting' | 'live' | 'reconnecting' | 'incompatible';
	/** When it entered this state. */
	since: number;
	/** One sentence: why it is not live, or the last error of the runner. */
	reason?: string;
	/** Of the runner, while it is live. */
	version?: string;
};

export type ConnectionDeps = AttemptDeps & {
	/** In [0, 1). */
	random: () => number;
	backoff: Backoff;
};

export type ConnectionEvents = {
	/** The runner sent hello: subscriptions and calls have to be sent again. */
	onLive(log: LogName): void;
	onFrame(frame: ServerFrame): void;
	onStatus(status: StreamStatus): void;
};

export type Connection = {
	status(): StreamStatus;
	/** Sent when live, else dropped: everything is sent again in `onLive`. */
	send(frame: ClientFrame): void;
	/** Closes this socket; the next one is opened after a delay. */
	drop(reason: string): void;
	/** Sets the reason of a connection that stays open. */
	note(reason: string): void;
	/** Checks that it is alive, and reconnects at once if it is not. */
	wake(): void;
	close(): void;
};

export function createConnection(deps: ConnectionDeps, events: ConnectionEvents): Connection {
	let status: StreamStatus = { state: 'connecting', since: deps.now() };
	let attempt: Attempt | undefined;
	let known: LogName | undefined;
	let version: string | undefined;
	let failures = 0;
	/** Only while it waits for the next attempt. */
	let cancelRetry: (() => void) | undefined;

	function connect(): void {
		cancelRetry = undefined;
		try {
			attempt = openAttempt(deps, {
				onLive,
				onFrame: events.onFrame,
				onEnd: ({ reason, final, woken }) => (final ? giveUp(reason) : retryLater(reason, woken)),
			});
		} catch (error) {
			// Opening fails at once where the address is invalid.
			retryLater(`The connection to the runner could not be opened: ${error instanceof Error ? error.message : String(error)}`);
		}
	}

	function onLive(log: LogName, runs: string): void {
		// Places in one log mean nothing in another.
		if (known !== undefined && whyElsewhere(known, log) !== undefined) {
			giveUp(known.runnerId === log.runnerId ? RESTORED : OTHER_RUNNER);
			return;
		}
		known = log;
		version = runs;
		setStatus('live');
	}

	function retryLater(reason: string, atOnce = false): void {
		attempt = undefined;
		// Only a connection that lasted resets the delay: one that breaks at once must not be retried every second.
		if (status.state === 'live' && deps.now() - status.since >= deps.backoff.maxDelayMs) failures = 0;
		cancelRetry = deps.timers.after(atOnce ? 0 : toDelay(deps.backoff, failures, deps.random()), connect);
		failures += 1;
		setStatus(known === undefined ? 'connecting' : 'reconnecting', reason);
	}

	function giveUp(reason: string): void {
		leave();
		setStatus('incompatible', reason);
	}

	function leave(): void {
		cancelRetry?.();
		cancelRetry = undefined;
		attempt?.close();
		attempt = undefined;
	}

	function setStatus(state: StreamStatus['state'], reason?: string): void {
		const turned = state !== status.state;
		status = {
			state,
			since: turned ? deps.now() : status.since,
			...(reason === undefined ? {} : { reason }),
			...(state === 'live' && version !== undefined ? { version } : {}),
		};
		if (turned && state === 'live' && known !== undefined) events.onLive(known);
		events.onStatus(status);
	}

	connect();
	return {
		status: () => status,
		send: (frame) => attempt?.send(frame),
		drop(reason) {
			if (attempt === undefined) return;
			leave();
			retryLater(reason);
		},
		note: (reason) => setStatus(status.state, reason),
		wake() {
			if (cancelRetry === undefined) return attempt?.wake();
			cancelRetry();
			connect();
		},
		close: leave,
	};
}

const OTHER_RUNNER = 'Another runner answers at this address now. Connect again to see its sessions.';
const RESTORED = 'The record of this runner was restored from a backup. Connect again to see its sessions.';
