// The feed as a list of entries with heights: each drawn as its place in the feed wants it.
import type { EventId } from '@roost/protocol/ids';
import type { Room } from '../pane.ts';
import { opensByItself } from '../renderers/table.ts';
import type { Row } from '../screen/row.ts';
import type { OpenSession } from '../world.ts';
import { actorName, actorOf, depthOf } from './actor-style.ts';
import { type EntryStyle, entryRows } from './entry-rows.ts';
import type { FeedEntry } from './feed-list.ts';
import type { ListShape } from './window.ts';

export type FeedRows = ListShape & { rowsAt(index: number): readonly Row[] };

/** `opened` holds what the user opened or closed; everything else does as it does by itself. */
export type Shown = { readonly selected: number; readonly opened: ReadonlyMap<EventId, boolean> };

export function feedRows(session: OpenSession, shown: Shown, room: Room): FeedRows {
	const { entries } = session.feed;
	const rowsAt = (index: number): readonly Row[] => {
		const entry = entries[index];
		return entry ? entryRows(entry, styleOf(entry, index, session, shown, room), index === shown.selected) : [];
	};
	return { count: entries.length, rowsAt, heightOf: (index) => rowsAt(index).length };
}

/** The same list without its first entries. */
export function withoutFirst(list: FeedRows, count: number): FeedRows {
	if (count === 0) return list;
	const rowsAt = (index: number) => list.rowsAt(index + count);
	return { count: Math.max(0, list.count - count), rowsAt, heightOf: (index) => rowsAt(index).length };
}

export function isOpen(entry: FeedEntry, opened: Shown['opened']): boolean {
	return opened.get(entry.event.event_id) ?? opensByItself(entry);
}

function styleOf(entry: FeedEntry, index: number, { feed, view }: OpenSession, { opened }: Shown, room: Room): EntryStyle {
	const actor = actorOf(entry.event);
	const before = feed.entries[index - 1];
	const depth = depthOf(actor, view.actors);
	const changes = depth > 0 && (!before || actorOf(before.event) !== actor);
	return {
		open: isOpen(entry, opened),
		width: room.width,
		look: room.look,
		cwd: view.summary.cwd,
		depth,
		name: changes ? actorName(actor, view.actors) : undefined,
	};
}
