// The feed as a list of entries with heights: each drawn as its place in the feed wants it.

import type { OpenSession } from '@roost/client/world/world';
import { actorName, actorOf, depthOf } from '@roost/core/views/actor-names';
import type { FeedEntry } from '@roost/core/views/feed-list';
import type { EventId } from '@roost/protocol/ids';
import { continuedWords } from '../../output/continued-words.ts';
import type { Room } from '../pane.ts';
import { divider } from '../parts/divider.ts';
import { opensByItself } from '../renderers/table.ts';
import type { Row } from '../screen/row.ts';
import { type EntryStyle, entryRows } from './entry-rows.ts';
import type { ListShape } from './window.ts';

export type FeedRows = ListShape & { rowsAt(index: number): readonly Row[] };

/** `opened` holds what the user opened or closed; everything else does as it does by itself. */
export type Shown = { readonly selected: number; readonly opened: ReadonlyMap<EventId, boolean> };

/** From one place of the feed to its end; the list counts from 0. */
export function feedRows(session: OpenSession, shown: Shown, from: number, room: Room): FeedRows {
	const { feed } = session;
	const rowsAt = (index: number): readonly Row[] => {
		const place = from + index;
		const entry = feed.at(place);
		if (!entry) return [];
		const rows = entryRows(entry, styleOf(entry, place, session, shown, room), place === shown.selected);
		const continued = session.continued?.get(place);
		return continued ? [divider(continuedWords(continued), room.width, room.styles), ...rows] : rows;
	};
	return { count: Math.max(0, feed.end - from), rowsAt, heightOf: (index) => rowsAt(index).length };
}

export function isOpen(entry: FeedEntry, opened: Shown['opened']): boolean {
	return opened.get(entry.event.event_id) ?? opensByItself(entry);
}

function styleOf(entry: FeedEntry, place: number, { feed, view }: OpenSession, { opened }: Shown, room: Room): EntryStyle {
	const actor = actorOf(entry.event);
	const before = feed.at(place - 1);
	const depth = depthOf(actor, view.actors);
	const changes = depth > 0 && (!before || actorOf(before.event) !== actor);
	return {
		open: isOpen(entry, opened),
		width: room.width,
		styles: room.styles,
		cwd: view.summary.cwd,
		depth,
		name: changes ? actorName(actor, view.actors) : undefined,
	};
}
