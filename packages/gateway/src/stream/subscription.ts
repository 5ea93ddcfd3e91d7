// One client's place in one stream, or in all: replays the log to its end, then sends live; replays again whenever it lags.
import { AppError } from '@roost/protocol/app-error';
import type { Awaitable } from '@roost/protocol/contract/operation';
import type { StreamId } from '@roost/protocol/ids';
import type { LogEntry } from '@roost/protocol/log-entry';
import type { Result } from '@roost/protocol/result';
import type { StoredLog } from '../operations/backend.ts';
import { lineFrame, toFrame } from './frames.ts';
import type { Outbox } from './outbox.ts';

/** All streams if none is named. */
export type Target = { stream?: StreamId };

export type Subscription = {
	readonly target: Target;
	/** A line that was just stored; `frame` is shared by all subscriptions. */
	offer(entry: LogEntry, frame: () => Buffer): void;
	/** Whether it has every stored line, so that deltas can follow. */
	isLive(): boolean;
	/** Continues from the log while the client has room. */
	replay(): void;
	/** Sends nothing more, not even a page that is being read. */
	end(): void;
};

export type SubscriptionDeps = {
	sub: string;
	target: Target;
	after: number;
	log: StoredLog;
	outbox: Outbox;
	pageLines: number;
	/** The client claims to have more than the log. */
	onAhead(error: AppError): void;
	/** The log cannot be read. */
	onUnreadable(error: AppError): void;
	onLag?: (() => void) | undefined;
};

const SMALLEST_PAGE = 8;

export function createSubscription(deps: SubscriptionDeps): Subscription {
	const { sub, target, log, outbox } = deps;
	let cursor = deps.after;
	/** The last place that was offered: it is live only after that. */
	let offered = 0;
	let live = false;
	let ended = false;
	let reading = false;
	let checked = cursor === 0;
	let limit = deps.pageLines;

	function offer(entry: LogEntry, frame: () => Buffer): void {
		if (!covers(target, entry)) return;
		const place = placeOf(target, entry);
		offered = Math.max(offered, place);
		if (!live || place <= cursor) return;
		if (place === cursor + 1 && outbox.hasRoom()) {
			cursor = place;
			outbox.send(frame());
			return;
		}
		live = false;
		outbox.send(toFrame({ type: 'lagged', sub, after: cursor }));
		deps.onLag?.();
	}

	function replay(): void {
		while (!live && !ended && !reading && outbox.hasRoom()) {
			const page = checked ? readAfter(log, target, cursor, limit) : readAfter(log, target, cursor - 1, 1);
			if (page instanceof Promise) {
				reading = true;
				void page.then((read) => {
					reading = false;
					take(read);
					replay();
				});
			} else take(page);
		}
	}

	function take(page: Result<LogEntry[]>): void {
		if (ended) return;
		if (!page.ok) fail(() => deps.onUnreadable(page.error));
		else if (!checked) check(page.value);
		else if (page.value.length > 0) sendPage(page.value);
		else if (offered <= cursor) {
			live = true;
			outbox.send(toFrame({ type: 'caught-up', sub, after: cursor }));
		}
	}

	function check(last: readonly LogEntry[]): void {
		checked = true;
		if (last.length === 0) fail(() => deps.onAhead(aheadOfLog(deps.after)));
	}

	function fail(report: () => void): void {
		ended = true;
		report();
	}

	function sendPage(page: readonly LogEntry[]): void {
		let sent = 0;
		for (const entry of page) {
			if (!outbox.hasRoom()) break;
			cursor = placeOf(target, entry);
			outbox.send(lineFrame(entry.line));
			sent++;
		}
		// For a client that takes few large lines at a time, smaller pages are read.
		limit = sent < page.length ? Math.max(SMALLEST_PAGE, sent) : Math.min(deps.pageLines, limit * 2);
	}

	function end(): void {
		ended = true;
	}

	return { target, offer, isLive: () => live, replay, end };
}

function covers(target: Target, entry: LogEntry): boolean {
	return target.stream === undefined || target.stream === entry.stream;
}

function placeOf(target: Target, entry: LogEntry): number {
	return target.stream === undefined ? entry.seqNo : entry.offset;
}

function readAfter(log: StoredLog, { stream }: Target, after: number, limit: number): Awaitable<Result<LogEntry[]>> {
	return log.read(stream === undefined ? { afterSeqNo: after, limit } : { stream, after, limit });
}

function aheadOfLog(after: number): AppError {
	return new AppError('bad_request', `The log ends before ${after}, so it is another log. Start again from 0.`);
}
