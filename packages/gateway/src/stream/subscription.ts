// One client's place in one stream, or in all: replay from the log until nothing is left, then live; back to the log whenever it lags.
import type { StreamId } from '@roost/protocol/ids';
import type { LogEntry } from '@roost/protocol/log-entry';
import { ok, type Result } from '@roost/protocol/result';
import type { StoredRecord } from '../backend.ts';
import { lineFrame, toFrame } from './frames.ts';
import type { Outbox } from './outbox.ts';

/** All streams, when none is named. */
export type Target = { stream?: StreamId };

export type Subscription = {
	readonly target: Target;
	/** A line that was just stored; `frame` is shared by all who take it. */
	offer(entry: LogEntry, frame: () => Buffer): void;
	/** Whether it has everything that is stored, so that what is not stored makes sense to it. */
	isLive(): boolean;
	/** Reads on from the log while the client has room. */
	replay(): Result<void>;
};

export type SubscriptionDeps = {
	sub: string;
	target: Target;
	after: number;
	record: StoredRecord;
	outbox: Outbox;
	pageLines: number;
	onLag?: (() => void) | undefined;
};

const SMALLEST_PAGE = 8;

export function createSubscription(deps: SubscriptionDeps): Subscription {
	const { sub, target, record, outbox } = deps;
	let cursor = deps.after;
	let live = false;
	let limit = deps.pageLines;

	function offer(entry: LogEntry, frame: () => Buffer): void {
		if (!live || !covers(target, entry)) return;
		const place = placeOf(target, entry);
		if (place <= cursor) return;
		if (place === cursor + 1 && outbox.hasRoom()) {
			cursor = place;
			outbox.send(frame());
			return;
		}
		live = false;
		outbox.send(toFrame({ type: 'lagged', sub, after: cursor }));
		deps.onLag?.();
	}

	function replay(): Result<void> {
		while (!live && outbox.hasRoom()) {
			const page = readAfter(record, target, cursor, limit);
			if (!page.ok) return page;
			if (page.value.length === 0) {
				live = true;
				outbox.send(toFrame({ type: 'caught-up', sub }));
			}
			const sent = sendPage(page.value);
			// A client that takes few large lines at a time does not make us read many.
			limit = sent < page.value.length ? Math.max(SMALLEST_PAGE, sent) : Math.min(deps.pageLines, limit * 2);
		}
		return ok(undefined);
	}

	function sendPage(page: readonly LogEntry[]): number {
		let sent = 0;
		for (const entry of page) {
			if (!outbox.hasRoom()) break;
			cursor = placeOf(target, entry);
			outbox.send(lineFrame(entry.line));
			sent++;
		}
		return sent;
	}

	return { target, offer, isLive: () => live, replay };
}

/** Whether the log has come as far as a client says it has. */
export function reaches(record: StoredRecord, target: Target, after: number): Result<boolean> {
	if (after === 0) return ok(true);
	const last = readAfter(record, target, after - 1, 1);
	return last.ok ? ok(last.value.length > 0) : last;
}

function covers(target: Target, entry: LogEntry): boolean {
	return target.stream === undefined || target.stream === entry.stream;
}

function placeOf(target: Target, entry: LogEntry): number {
	return target.stream === undefined ? entry.seqNo : entry.offset;
}

function readAfter(record: StoredRecord, { stream }: Target, after: number, limit: number): Result<LogEntry[]> {
	return record.read(stream === undefined ? { afterSeqNo: after, limit } : { stream, after, limit });
}
