// The feed, newest at the end. Follows the end until you scroll away, then counts new events.
import type { OpenSession, World } from '@roost/client/world/world';
import type { FeedEntry, FeedList } from '@roost/core/views/feed-list';
import { mainText } from '@roost/core/views/main-text';
import type { EventId } from '@roost/protocol/ids';
import { type FeedRows, feedRows, isOpen, streamingRows } from '../feed/feed-rows.ts';
import { countMatches, findInFeed, markMatches } from '../feed/feed-search.ts';
import {
	EMPTY_SEARCH,
	editSearch,
	LEAVE_KEY,
	MATCH_KEYS,
	type SearchLine,
	searchRow,
	TYPING_KEYS,
	typeSearch,
} from '../feed/search-line.ts';
import { type Anchor, anchorAtEnd, anchorToShow, visibleFrom } from '../feed/window.ts';
import { type Binding, MOVING } from '../keys/keymap.ts';
import { type Drawn, type Pane, type Room, type Step, stay, type Wish } from '../pane.ts';
import { movedBy } from '../parts/list.ts';
import { type Row, row, span } from '../screen/row.ts';

/** All positions are places in the feed, which do not change when older entries are loaded. */
export type FeedState = {
	readonly selected: number;
	/** Stays at the end. */
	readonly following: boolean;
	/** The first visible line while it does not follow. */
	readonly anchor: Anchor;
	/** End of the feed when it stopped following. */
	readonly seen: number;
	/** Entries that the user expanded or collapsed. */
	readonly opened: ReadonlyMap<EventId, boolean>;
	/** The event it was opened at, until the user moves; it may not be loaded yet. */
	readonly wanted?: EventId;
	/** Entries before this place are hidden. */
	readonly cleared: number;
	readonly search: SearchLine | null;
};

const KEYS: readonly Binding[] = [
	...MOVING,
	{ keys: ['enter', 'right', 'l'], action: 'toggle', help: 'expand or collapse', hint: true },
	{ keys: ['o', 'd'], action: 'detail', help: 'details', hint: true },
	{ keys: ['i'], action: 'prompt', hint: 'prompt' },
	{ keys: ['y'], action: 'copy', help: 'copy its text' },
	{ keys: ['f'], action: 'bottom', help: 'follow new events' },
	{ keys: ['F'], action: 'fork', help: 'fork from here' },
	...MATCH_KEYS,
];

const NOTHING_CLEARED = Number.NEGATIVE_INFINITY;

export const feedPane: Pane<FeedState> = {
	title: 'Feed',
	keys({ search }) {
		if (!search) return KEYS;
		return search.typing ? TYPING_KEYS : [...KEYS, LEAVE_KEY];
	},
	start: (_, wanted) => ({
		selected: 0,
		following: true,
		anchor: { index: 0, skip: 0 },
		seen: 0,
		opened: new Map(),
		wanted,
		cleared: NOTHING_CLEARED,
		search: null,
	}),
	act: (state, action, world, room) => act(world.open ? arrived(state, world.open.feed) : state, action, world, room),
	takesText: ({ search }) => search?.typing === true,
	type: (state, text) => stay(state.search ? { ...state, search: typeSearch(state.search, text) } : state),
	draw: (state, world, room) => draw(world.open ? arrived(state, world.open.feed) : state, world, room),
};

export function clearFeed(state: FeedState, feed: FeedList): FeedState {
	return { ...state, cleared: feed.end, following: true, wanted: undefined, search: null };
}

export function showAll(state: FeedState): FeedState {
	return { ...state, cleared: NOTHING_CLEARED, anchor: { index: NOTHING_CLEARED, skip: 0 } };
}

const ABOVE = 5;

/** Selects the event it was opened at, once that is loaded. */
function arrived(state: FeedState, feed: FeedList): FeedState {
	const selected = state.wanted === undefined ? undefined : feed.indexOf(state.wanted);
	if (selected === undefined) return state;
	const anchor = { index: selected - ABOVE, skip: 0 };
	return { ...state, selected, following: false, anchor, seen: feed.end };
}

function draw(state: FeedState, world: World, room: Room): Drawn {
	const { open } = world;
	const below = open ? belowRows(state, open, room) : [];
	const rows = open && open.feed.end > floorOf(state, open.feed) ? shownRows(state, open, room, below.length) : [];
	const shown = rows.length > 0 ? rows : [row(span(emptySentence(state, world), 'faint'))];
	const column = open && state.search?.typing ? searchRow(state.search, room).column : undefined;
	const cursor = column === undefined ? undefined : { line: shown.length + below.length - 1, column };
	return { rows: [...shown, ...below], cursor };
}

function shownRows(state: FeedState, open: OpenSession, room: Room, below: number): Row[] {
	const list = listOf(state, open, room);
	const height = room.height - below;
	const rows = visibleFrom(anchorOf(state, open.feed, list, height), list, height).flatMap(({ index, from, lines }) =>
		list.rowsAt(index).slice(from, from + lines),
	);
	const words = wordsOf(state);
	return words === '' ? rows : rows.map((line) => markMatches(line, words));
}

/** Empty while the search is typed. */
function wordsOf({ search }: FeedState): string {
	return search && !search.typing ? search.field.text : '';
}

function act(state: FeedState, action: string, world: World, room: Room): Step<FeedState> {
	const { open } = world;
	if (action === 'prompt') return { state, go: 'composer' };
	if (!open) return stay(state);
	const searched = actOnSearch(state, action, open, room);
	if (searched) return searched;
	const selected = selectedOf(state, open.feed);
	const entry = selected < floorOf(state, open.feed) ? undefined : open.feed.at(selected);
	if (!entry) return stay(state);
	switch (action) {
		case 'toggle':
			return stay({ ...state, opened: new Map(state.opened).set(entry.event.event_id, !isOpen(entry, state.opened)) });
		case 'detail':
			return { state, go: { place: 'detail', event: entry.event.event_id } };
		case 'copy':
			return { state, wishes: [{ type: 'copy', text: textOf(entry) }] };
		case 'fork':
			return { state, wishes: [forkAt(entry, open)] };
		default:
			return move(state, action, open, room);
	}
}

/** Null if the action is not about searching. */
function actOnSearch(state: FeedState, action: string, open: OpenSession, room: Room): Step<FeedState> | null {
	const line = state.search;
	switch (action) {
		case 'search':
			return stay({ ...state, search: EMPTY_SEARCH });
		case 'search-leave':
			return stay({ ...state, search: null });
		case 'search-go':
		case 'match-older':
			return lookFor(state, -1, open, room);
		case 'match-newer':
			return lookFor(state, 1, open, room);
		default: {
			const edited = line?.typing ? editSearch(line, action) : null;
			return edited && stay({ ...state, search: edited });
		}
	}
}

function lookFor(state: FeedState, step: 1 | -1, open: OpenSession, room: Room): Step<FeedState> {
	const words = state.search?.field.text ?? '';
	if (!state.search || words === '') return stay({ ...state, search: EMPTY_SEARCH });
	const { rest, typing } = state.search;
	const line = { ...state.search, typing: false, note: '', rest: undefined };
	const here = selectedOf(state, open.feed);
	// The first match may be the selected entry, the next ones may not.
	const from = rest?.step === step ? rest.from : here + (typing ? 0 : step);
	const found = findInFeed(open.feed, { words, from, step, floor: floorOf(state, open.feed) });
	const way = step < 0 ? 'above' : 'below';
	if (!found) return stay({ ...state, search: { ...line, note: `nothing more ${way}` } });
	if ('next' in found) {
		const again = step < 0 ? 'n' : 'N';
		const note = `not in the next ${Math.abs(found.next - from)} ${way}: press ${again} to continue`;
		return stay({ ...state, search: { ...line, note, rest: { from: found.next, step } } });
	}
	const event = open.feed.at(found.at)?.event.event_id;
	const opened = found.inBody && event ? new Map(state.opened).set(event, true) : state.opened;
	return select({ ...state, opened, search: line }, found.at, open, room);
}

function textOf({ event, result }: FeedEntry): string {
	return mainText(event, result);
}

/** A fork that ends with this message. */
function forkAt({ event }: FeedEntry, { id, past }: OpenSession): Wish {
	if (past) return { type: 'say', sentence: 'This past session is read-only. Use ":resume" to continue it.' };
	const upTo = event.kind === 'agent.message' ? event.data.native_id : undefined;
	return upTo === undefined ? { type: 'say', sentence: NO_MESSAGE } : { type: 'fork-session', id, upTo };
}

const NO_MESSAGE = 'Select a message of the agent: the fork ends with it. ":fork" forks the whole session.';

function move(state: FeedState, action: string, open: OpenSession, room: Room): Step<FeedState> {
	const selected = selectedOf(state, open.feed);
	const wanted = movedBy(action, selected, pageOf(state, open, room));
	return wanted === selected ? stay(state) : select(state, wanted, open, room);
}

function pageOf(state: FeedState, open: OpenSession, room: Room): number {
	const list = listOf(state, open, room);
	return Math.max(1, visibleFrom(anchorOf(state, open.feed, list, room.height), list, room.height).length - 1);
}

function select(state: FeedState, wanted: number, open: OpenSession, room: Room): Step<FeedState> {
	const { end } = open.feed;
	const floor = floorOf(state, open.feed);
	const selected = Math.min(end - 1, Math.max(floor, wanted));
	const seen = state.following ? end : state.seen;
	const moved = { ...state, selected, following: wanted >= end - 1, seen, wanted: undefined };
	const below = (one: FeedState) => room.height - belowRows(one, open, room).length;
	const before = anchorOf(state, open.feed, listOf(state, open, room), below(state));
	const { index, skip } = anchorToShow(before, selected - floor, listOf(moved, open, room), below(moved));
	return stay({ ...moved, anchor: { index: index + floor, skip } });
}

export function selectedOf(state: FeedState, feed: FeedList): number {
	const last = feed.end - 1;
	return state.following ? last : Math.min(state.selected, last);
}

/** The oldest visible entry. */
function floorOf({ cleared }: FeedState, feed: FeedList): number {
	return Math.max(feed.first, cleared);
}

function listOf(state: FeedState, open: OpenSession, room: Room): FeedRows {
	const shown = { selected: selectedOf(state, open.feed), opened: state.opened };
	return feedRows(open, shown, floorOf(state, open.feed), room);
}

/** Relative to the oldest visible entry. */
function anchorOf(state: FeedState, feed: FeedList, list: FeedRows, height: number): Anchor {
	if (state.following) return anchorAtEnd(list, height);
	const floor = floorOf(state, feed);
	const anchor = { index: Math.max(0, state.anchor.index - floor), skip: state.anchor.skip };
	return anchorToShow(anchor, Math.min(state.selected - floor, list.count - 1), list, height);
}

/** Below the list: the search line, streamed text while following, the number of new events otherwise. */
function belowRows(state: FeedState, { feed, streaming, view }: OpenSession, room: Room): Row[] {
	const search = state.search ? [searchRow(state.search, room, countOf(state, feed)).row] : [];
	if (state.following) return [...streamingRows(streaming, view.actors, room), ...search];
	const unseen = feed.end - state.seen;
	return [...(unseen > 0 ? [row(span(`  ${unseen} new below: press G to follow`, 'accent'))] : []), ...search];
}

function countOf(state: FeedState, feed: FeedList): string {
	const words = wordsOf(state);
	if (words === '') return '';
	const { total, isWhole, rankOf } = countMatches(feed, words, state.cleared);
	const rank = rankOf(selectedOf(state, feed));
	const all = `${total}${isWhole ? '' : '+'}`;
	return rank === undefined ? `${all} found` : `${rank} of ${all}`;
}

function emptySentence({ cleared }: FeedState, { open, sessions }: World): string {
	if (open && cleared > NOTHING_CLEARED) return 'Cleared. New events appear here; ":show" shows all again.';
	if (open) return 'No events in this session yet.';
	return sessions.length === 0
		? 'No session yet. Start one in another terminal with "roost claude".'
		: 'Choose a session: press Tab until you see the list.';
}
