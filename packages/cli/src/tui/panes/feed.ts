// The feed: what happened, newest at the end. It follows the end until you scroll away, and then says how many are new.
import type { EventId } from '@roost/protocol/ids';
import { entryRows, opensByItself } from '../feed/entry-rows.ts';
import type { FeedList } from '../feed/feed-list.ts';
import { type Anchor, anchorAtEnd, anchorToShow, type ListShape, visibleFrom } from '../feed/window.ts';
import { MOVING } from '../keys/keymap.ts';
import { type Pane, type Room, type Step, stay } from '../pane.ts';
import { type Row, row, span } from '../screen/row.ts';
import type { World } from '../world.ts';

export type FeedState = {
	readonly selected: number;
	/** At the end, and staying there. */
	readonly following: boolean;
	/** Where the screen begins while it does not follow. */
	readonly anchor: Anchor;
	/** How many there were when it stopped following. */
	readonly seen: number;
	/** Those the user opened or closed against what they do by themselves. */
	readonly toggled: ReadonlySet<EventId>;
};

export const feedPane: Pane<FeedState> = {
	title: 'Feed',
	keys: [
		...MOVING,
		{ keys: ['enter', 'right', 'l'], action: 'toggle', help: 'open or close in place', hint: true },
		{ keys: ['o', 'd'], action: 'detail', help: 'all of this event', hint: true },
		{ keys: ['f'], action: 'bottom', help: 'follow the end again' },
	],
	start: () => ({ selected: 0, following: true, anchor: { index: 0, skip: 0 }, seen: 0, toggled: new Set() }),
	act,
	draw(state, world, room) {
		const feed = world.open?.feed;
		if (!feed || feed.entries.length === 0) return { rows: [row(span(emptySentence(world), 'faint'))] };
		const unseen = state.following ? 0 : feed.entries.length - state.seen;
		const height = room.height - (unseen > 0 ? 1 : 0);
		const shape = shapeOf(feed, state, room);
		const rows = visibleFrom(anchorOf(state, feed, shape, height), shape, height).flatMap(({ index, from, lines }) =>
			rowsAt(feed, index, state, room).slice(from, from + lines),
		);
		return { rows: unseen > 0 ? [...rows, row(span(`  ${unseen} new below: press G to follow`, 'accent'))] : rows };
	},
};

function act(state: FeedState, action: string, world: World, room: Room): Step<FeedState> {
	const feed = world.open?.feed;
	if (!feed || feed.entries.length === 0) return stay(state);
	const selected = selectedOf(state, feed);
	switch (action) {
		case 'down':
			return select(state, selected + 1, feed, room);
		case 'up':
			return select(state, selected - 1, feed, room);
		case 'page-down':
			return select(state, selected + room.height, feed, room);
		case 'page-up':
			return select(state, selected - room.height, feed, room);
		case 'top':
			return select(state, 0, feed, room);
		case 'bottom':
			return select(state, feed.entries.length - 1, feed, room);
		case 'toggle':
			return stay({ ...state, toggled: toggle(state.toggled, feed.entries[selected]?.event.event_id) });
		case 'detail':
			return { state, go: 'detail' };
		default:
			return stay(state);
	}
}

function select(state: FeedState, wanted: number, feed: FeedList, room: Room): Step<FeedState> {
	const last = feed.entries.length - 1;
	const selected = Math.min(last, Math.max(0, wanted));
	const following = wanted >= last;
	const seen = state.following ? feed.entries.length : state.seen;
	const moved = { ...state, selected, following, seen };
	const shape = shapeOf(feed, moved, room);
	const before = anchorOf(state, feed, shape, room.height);
	return stay({ ...moved, anchor: anchorToShow(before, selected, shape, room.height) });
}

/** While it follows, the newest is the selected one. */
export function selectedOf(state: FeedState, feed: FeedList): number {
	const last = feed.entries.length - 1;
	return state.following ? last : Math.min(state.selected, last);
}

function anchorOf(state: FeedState, feed: FeedList, shape: ListShape, height: number): Anchor {
	if (state.following) return anchorAtEnd(shape, height);
	return anchorToShow(state.anchor, selectedOf(state, feed), shape, height);
}

function toggle(toggled: ReadonlySet<EventId>, id: EventId | undefined): ReadonlySet<EventId> {
	if (id === undefined) return toggled;
	const next = new Set(toggled);
	if (!next.delete(id)) next.add(id);
	return next;
}

function shapeOf(feed: FeedList, state: FeedState, room: Room): ListShape {
	return { count: feed.entries.length, heightOf: (index) => rowsAt(feed, index, state, room).length };
}

function rowsAt(feed: FeedList, index: number, state: FeedState, { width, look }: Room): readonly Row[] {
	const entry = feed.entries[index];
	if (!entry) return [];
	const open = opensByItself(entry) !== state.toggled.has(entry.event.event_id);
	return entryRows(entry, { open, selected: index === selectedOf(state, feed), width, look });
}

function emptySentence({ open, sessions }: World): string {
	if (open) return 'Nothing has happened in this session yet.';
	return sessions.length === 0
		? 'No session yet. Start one in another terminal with "roost claude".'
		: 'Choose a session: press Tab until you see the list.';
}
