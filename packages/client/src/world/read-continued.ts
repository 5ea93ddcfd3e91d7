// What was said before a session that was forked or resumed, from the nearest to the oldest, also over several sessions.

import { type Continued, continuedBy, isBefore, isLastOf } from '@roost/core/views/continued';
import type { FeedEvent } from '@roost/protocol/feed/event';
import type { SessionRow } from '@roost/protocol/session-row';
import type { ApiClient } from '../api-client.ts';
import type { Pause } from './pause.ts';
import { readOlder } from './read-older.ts';

export type ReadContinued = {
	api: Pick<ApiClient, 'record' | 'feed'>;
	/** What an agent kept of a conversation that is not on record; empty where it cannot be found. */
	readPast: (nativeId: string, child: SessionRow) => Promise<readonly FeedEvent[]>;
	isOver: () => boolean;
	pause: Pause;
};

/** More forks of forks than anybody makes. */
const MOST_PARENTS = 20;

export type ContinuedHandlers = {
	/** All that a session itself recorded was told; what comes now is of this one. */
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
