// The feed: what happened, newest at the end. It follows the end until you scroll away, and then says how many are new.
import type { EventId } from '@roost/protocol/ids';
import type { FeedEntry, FeedList } from '../feed/feed-list.ts';
import { type FeedRows, feedRows, isOpen } from '../feed/feed-rows.ts';
import { streamingRows } from '../feed/streaming-rows.ts';
import { type Anchor, anchorAtEnd, anchorToShow, visibleFrom } from '../feed/window.ts';
import { MOVING } from '../keys/keymap.ts';
import { type Pane, type Room, type Step, stay } from '../pane.ts';
import { mainText } from '../renderers/main-text.ts';
import { type Row, row, span } from '../screen/row.ts';
import type { OpenSession, World } from '../world.ts';

export type FeedState = {
	readonly selected: number;
	/** At the end, and staying there. */
	readonly following: boolean;
	/** Where the screen begins while it does not follow. */
	readonly anchor: Anchor;
	/** How many there were when it stopped following. */
	readonly seen: number;
	/** What the user opened or closed. */
	readonly opened: ReadonlyMap<EventId, boolean>;
};

export const feedPane: Pane<FeedState> = {
	title: 'Feed',
	keys: [
		...MOVING,
		{ keys: ['enter', 'right', 'l'], action: 'toggle', help: 'open or close in place', hint: true },
		{ keys: ['o', 'd'], action: 'detail', help: 'all of this event', hint: true },
		{ keys: ['y'], action: 'copy', help: 'copy its text' },
		{ keys: ['f'], action: 'bottom', help: 'follow the end again' },
	],
	start: () => ({ selected: 0, following: true, anchor: { index: 0, skip: 0 }, seen: 0, opened: new Map() }),
	act,
	draw(state, world, room) {
		const { open } = world;
		const below = open ? belowRows(state, open, room) : [];
		if (!open || open.feed.entries.length === 0) return { rows: [row(span(emptySentence(world), 'faint')), ...below] };
		const list = listOf(state, open, room);
		const height = room.height - below.length;
		const rows = visibleFrom(anchorOf(state, list, height), list, height).flatMap(({ index, from, lines }) =>
			list.rowsAt(index).slice(from, from + lines),
		);
		return { rows: [...rows, ...below] };
	},
};

function act(state: FeedState, action: string, world: World, room: Room): Step<FeedState> {
	const { open } = world;
	const entry = open?.feed.entries[selectedOf(state, open.feed)];
	if (!open || !entry) return stay(state);
	switch (action) {
		case 'toggle':
			return stay({ ...state, opened: new Map(state.opened).set(entry.event.event_id, !isOpen(entry, state.opened)) });
		case 'detail':
			return { state, go: { place: 'detail', event: entry.event.event_id } };
		case 'copy':
			return { state, wishes: [{ type: 'copy', text: textOf(entry) }] };
		default:
			return move(state, action, open, room);
	}
}

function textOf({ event, result }: FeedEntry): string {
	return mainText(event, result);
}

function move(state: FeedState, action: string, open: OpenSession, room: Room): Step<FeedState> {
	const selected = selectedOf(state, open.feed);
	switch (action) {
		case 'down':
			return select(state, selected + 1, open, room);
		case 'up':
			return select(state, selected - 1, open, room);
		case 'page-down':
			return select(state, selected + pageOf(state, open, room), open, room);
		case 'page-up':
			return select(state, selected - pageOf(state, open, room), open, room);
		case 'top':
			return select(state, 0, open, room);
		case 'bottom':
			return select(state, open.feed.entries.length - 1, open, room);
		default:
			return stay(state);
	}
}

/** As many entries as are on the screen, less one that stays in sight. */
function pageOf(state: FeedState, open: OpenSession, room: Room): number {
	const list = listOf(state, open, room);
	return Math.max(1, visibleFrom(anchorOf(state, list, room.height), list, room.height).length - 1);
}

function select(state: FeedState, wanted: number, open: OpenSession, room: Room): Step<FeedState> {
	const count = open.feed.entries.length;
	const selected = Math.min(count - 1, Math.max(0, wanted));
	const seen = state.following ? count : state.seen;
	const moved = { ...state, selected, following: wanted >= count - 1, seen };
	const before = anchorOf(state, listOf(state, open, room), room.height - belowRows(state, open, room).length);
	const height = room.height - belowRows(moved, open, room).length;
	return stay({ ...moved, anchor: anchorToShow(before, selected, listOf(moved, open, room), height) });
}

/** While it follows, the newest is the selected one. */
export function selectedOf(state: FeedState, feed: FeedList): number {
	const last = feed.entries.length - 1;
	return state.following ? last : Math.min(state.selected, last);
}

function listOf(state: FeedState, open: OpenSession, room: Room): FeedRows {
	return feedRows(open, { selected: selectedOf(state, open.feed), opened: state.opened }, room);
}

function anchorOf(state: FeedState, list: FeedRows, height: number): Anchor {
	if (state.following) return anchorAtEnd(list, height);
	return anchorToShow(state.anchor, Math.min(state.selected, list.count - 1), list, height);
}

/** Under the list: what is being written while it follows, how many are new while it does not. */
function belowRows(state: FeedState, { feed, streaming, view }: OpenSession, room: Room): Row[] {
	if (state.following) return streamingRows(streaming, view.actors, room);
	const unseen = feed.entries.length - state.seen;
	return unseen > 0 ? [row(span(`  ${unseen} new below: press G to follow`, 'accent'))] : [];
}

function emptySentence({ open, sessions }: World): string {
	if (open) return 'Nothing has happened in this session yet.';
	return sessions.length === 0
		? 'No session yet. Start one in another terminal with "roost claude".'
		: 'Choose a session: press Tab until you see the list.';
}
