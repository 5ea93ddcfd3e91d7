// Sends the log to the hub from the place that the hub named, a bounded number of batches ahead of its acknowledgements.
import type { AppError } from '@roost/protocol/app-error';
import { MOST_UNACKNOWLEDGED, type RunnerFrame } from '@roost/protocol/hub/link-frames';
import type { BatchReader } from './read-batch.ts';

export type Sender = {
	/** There may be new lines. They are read from the store, so a lost or repeated hint changes nothing. */
	hint(): void;
	/** The hub has everything up to this line. `resend`: and wants what follows again. */
	acknowledge(lastSeqNo: number, resend: boolean): void;
	close(): void;
};

export function createSender(deps: {
	reader: BatchReader;
	/** The last line that the hub has. */
	after: number;
	/** The last line of the log when the connection opened: what comes later is live. */
	liveAfter: number;
	send(frame: RunnerFrame, lines: readonly string[]): void;
	onAcknowledged(seqNo: number): void;
	/** The log cannot be read. */
	onFailed(error: AppError): void;
	/** Runs it soon, outside of the commit that caused it. */
	soon(run: () => void): void;
}): Sender {
	const { reader, liveAfter } = deps;
	let sent = deps.after;
	let acknowledged = deps.after;
	let inFlight: number[] = [];
	let isPlanned = false;
	let isClosed = false;

	function pump(): void {
		isPlanned = false;
		while (!isClosed && inFlight.length < MOST_UNACKNOWLEDGED) {
			const isLive = sent >= liveAfter;
			const batch = reader.read(sent, isLive ? Number.MAX_SAFE_INTEGER : liveAfter);
			if (!batch.ok) deps.onFailed(batch.error);
			if (!batch.ok || batch.value === null) return;
			const { head, lines, last } = batch.value;
			sent = last;
			inFlight.push(last);
			deps.send({ type: isLive ? 'event' : 'event.backfill', ...head }, lines);
		}
	}

	function plan(): void {
		if (isPlanned || isClosed) return;
		isPlanned = true;
		deps.soon(pump);
	}

	plan();
	return {
		hint: plan,
		acknowledge(lastSeqNo, resend) {
			// A hub cannot have what was not sent.
			const upTo = Math.min(lastSeqNo, sent);
			inFlight = inFlight.filter((last) => last > upTo);
			if (upTo > acknowledged) {
				acknowledged = upTo;
				deps.onAcknowledged(upTo);
			}
			if (resend) {
				sent = upTo;
				inFlight = [];
			}
			plan();
		},
		close() {
			isClosed = true;
		},
	};
}
