// The older part of a session, page by page from the newest to the oldest, and the sessions that it was forked or resumed from.
import { type Continued, continuedBy, isBefore, isLastOf, MOST_PARENTS } from '@roost/core/views/continued';
import type { FeedEvent } from '@roost/protocol/feed/event';
import type { SessionId } from '@roost/protocol/ids';
import type { SessionRow } from '@roost/protocol/session-row';
import type { ApiClient } from '../api-client.ts';

/** Resolves after this many milliseconds; 0 runs everything else that is due first. Keeps no process alive. */
export type Pause = (ms: number) => Promise<void>;

export type ReadOlder = {
	id: SessionId;
	feed: ApiClient['feed'];
	/** How many events there are to read. */
	before: number;
	isOver: () => boolean;
	pause: Pause;
};

/** Small enough to handle keys between two pages. */
const PAGE = 500;
const PAUSE_MS = 500;

/** Calls `onPage` with each page, and returns all of them in order; retries until it has all, or is stopped. */
export async function readOlder(
	{ id, feed, before, isOver, pause }: ReadOlder,
	onPage: (page: readonly FeedEvent[]) => void,
): Promise<FeedEvent[][]> {
	const pages: FeedEvent[][] = [];
	let rest = before;
	while (rest > 0 && !isOver()) {
		const after = Math.max(0, rest - PAGE);
		const read = await feed.events({ id, after, limit: rest - after });
		if (isOver()) break;
		if (!read.ok || read.value.length < rest - after) {
			await pause(PAUSE_MS);
			continue;
		}
		const page = read.value.map(({ event }) => event);
		pages.push(page);
		onPage(page);
		rest = after;
	}
	return pages.reverse();
}

export type ReadContinued = {
	api: Pick<ApiClient, 'record' | 'feed'>;
	/** The agent's own transcript of a conversation that is not on record; empty if not found. */
	readPast: (nativeId: string, child: SessionRow) => Promise<readonly FeedEvent[]>;
	isOver: () => boolean;
	pause: Pause;
};

export type ContinuedHandlers = {
	/** All events of the session itself were read; the next pages are from this one. */
	onFrom: (from: Continued) => void;
	onPage: (page: readonly FeedEvent[]) => void;
};

export async function readContinued(row: SessionRow, deps: ReadContinued, { onFrom, onPage }: ContinuedHandlers): Promise<void> {
	let child = row;
	for (let parents = 0; parents < MOST_PARENTS; parents += 1) {
		const from = continuedBy(child);
		if (!from || deps.isOver()) return;
		onFrom(from);
		if (!('parentId' in from)) return onPage(await deps.readPast(from.nativeId, child));
		const parent = await deps.api.record.session({ id: from.parentId });
		if (!parent.ok) return;
		await readParent(parent.value, child, deps, onPage);
		child = parent.value;
	}
}

async function readParent(
	parent: SessionRow,
	child: SessionRow,
	{ api, isOver, pause }: ReadContinued,
	onPage: (page: readonly FeedEvent[]) => void,
): Promise<void> {
	let isIn = child.drive?.copy_of?.up_to === undefined;
	await readOlder({ id: parent.id, feed: api.feed, before: parent.events, isOver, pause }, (page) => {
		const last = isIn ? page.length - 1 : page.findLastIndex((event) => isLastOf(child, event));
		isIn ||= last >= 0;
		onPage(page.slice(0, last + 1).filter((event) => isBefore(child, event)));
	});
}
