// One event in full, with the chain of its causes.

import type { OpenSession, World } from '@roost/client/world/world';
import { toJson } from '@roost/core/display/to-json';
import { actorName, actorOf } from '@roost/core/views/actor-names';
import { causeChain } from '@roost/core/views/cause-chain';
import type { FeedEntry, FeedList } from '@roost/core/views/feed-list';
import { mainText } from '@roost/core/views/main-text';
import type { FeedEvent } from '@roost/protocol/feed/event';
import type { EventId } from '@roost/protocol/ids';
import { clock } from '../../output/feed-line.ts';
import { MOVING } from '../keys/keymap.ts';
import { type Pane, type Room, type Step, stay } from '../pane.ts';
import { createLazyRows, type LazyRows } from '../parts/lazy-rows.ts';
import { movedBy } from '../parts/list.ts';
import { remembering } from '../parts/remembering.ts';
import { wrapped } from '../parts/wrapped.ts';
import { type Context, jsonRows, wordedRows } from '../renderers/renderer.ts';
import { bodyOf, lineOf, signOf } from '../renderers/table.ts';
import { type Row, row, selectRow, span } from '../screen/row.ts';
import type { Styles } from '../screen/styles.ts';

export type DetailState = {
	/** End of the chain of causes; none if the feed is empty. */
	readonly end?: EventId;
	/** The shown event of the chain. */
	readonly at?: EventId;
	readonly top: number;
	readonly raw: boolean;
};

export const detailPane: Pane<DetailState> = {
	title: 'Detail',
	keys: [
		...MOVING,
		{ keys: ['left', '[', 'h'], action: 'cause', help: 'cause', hint: true },
		{ keys: ['right', ']', 'l'], action: 'effect', help: 'effect', hint: true },
		{ keys: ['y'], action: 'copy', help: 'copy', hint: true },
		{ keys: ['r'], action: 'raw', help: 'as JSON', hint: true },
		{ keys: ['esc'], action: 'back', help: 'back', hint: true },
	],
	start(world, event) {
		const at = event ?? newestOf(world.open?.feed)?.event_id;
		return { at, end: at && endOf(at, world.open?.feed), top: 0, raw: false };
	},
	act,
	draw(state, world, room) {
		const seen = see(state, world, room);
		if (!seen) return { rows: [row(span('Nothing is selected: press Esc, and o on an event of the feed.', 'faint'))] };
		const { head, body, height } = seen;
		const top = clampTop(state.top, body, height);
		const shown = body.take(top, height);
		return { rows: [...head, ...shown, ...placeRows(top, shown.length, body)] };
	},
};

function newestOf(feed: FeedList | undefined): FeedEvent | undefined {
	return feed?.at(feed.end - 1)?.event;
}

/** A call or request is shown with its result or decision. */
function endOf(at: EventId, feed: FeedList | undefined): EventId {
	const entry = feed?.find(at);
	return (entry?.result ?? entry?.decision)?.event_id ?? at;
}

function act(state: DetailState, action: string, world: World, room: Room): Step<DetailState> {
	const seen = see(state, world, room);
	if (action === 'back') return { state, go: 'back' };
	if (!seen) return stay(state);
	switch (action) {
		case 'cause':
			return stay(walk(state, seen.chain, -1));
		case 'effect':
			return stay(walk(state, seen.chain, 1));
		case 'raw':
			return stay({ ...state, raw: !state.raw, top: 0 });
		case 'copy':
			return { state, wishes: [{ type: 'copy', text: state.raw ? toJson(seen.event) : mainText(seen.event) }] };
		default:
			return stay({ ...state, top: clampTop(movedBy(action, state.top, seen.height), seen.body, seen.height) });
	}
}

type Seen = { event: FeedEvent; chain: readonly FeedEvent[]; head: readonly Row[]; body: LazyRows; height: number };

function see(state: DetailState, world: World, room: Room): Seen | undefined {
	const open = world.open;
	if (!open || !state.at || !state.end) return undefined;
	const chain = causeChain(state.end, open.feed);
	const event = chain.find(({ event_id }) => event_id === state.at);
	return event && { event, chain, ...drawn(event, chain, state.raw, open, room) };
}

function drawn(event: FeedEvent, chain: readonly FeedEvent[], raw: boolean, open: OpenSession, room: Room) {
	const head = detailHead(event, chain, open, room);
	return { head, body: detailBody(event, raw, open, room), height: Math.max(1, room.height - head.length - 1) };
}

function walk(state: DetailState, chain: readonly FeedEvent[], step: number): DetailState {
	const index = chain.findIndex(({ event_id }) => event_id === state.at);
	const next = chain[index + step];
	return next ? { ...state, at: next.event_id, top: 0 } : state;
}

function clampTop(top: number, body: LazyRows, height: number): number {
	return Math.max(0, Math.min(top, body.count(top + height) - height));
}

const MOST_COUNTED = 1_000;

function placeRows(top: number, shown: number, body: LazyRows): Row[] {
	const limit = top + shown + MOST_COUNTED;
	const count = body.count(limit);
	if (count === shown) return [];
	return [row(span(`  lines ${top + 1} to ${top + shown} of ${count < limit ? count : `more than ${limit - 1}`}`, 'faint'))];
}

const MOST_CAUSES = 6;

function detailHead(event: FeedEvent, chain: readonly FeedEvent[], open: OpenSession, { width, styles }: Room): Row[] {
	const at = chain.indexOf(event);
	const near = chain.slice(Math.max(0, at - MOST_CAUSES + 2), Math.max(at + 2, MOST_CAUSES));
	const facts = [
		event.kind,
		clock(event.ts),
		actorName(actorOf(event), open.view.actors),
		event.event_id,
		...(event.level === 'info' ? [] : [event.level]),
	];
	return [
		...near.map((cause, depth) => causeRow(cause, depth, cause === event, open, styles)),
		row(span(styles.glyphs.horizontal.repeat(width), 'faint')),
		...wrapped(facts.join('  '), width, 'faint'),
		[],
	];
}

function causeRow(cause: FeedEvent, depth: number, current: boolean, open: OpenSession, styles: Styles): Row {
	const context = contextOf(cause, open, styles);
	const { glyph, tone } = signOf(cause, context.entry);
	const under = depth === 0 ? ' ' : ` ${'  '.repeat(depth - 1)}${styles.glyphs.lastBranch}`;
	const word = isResult(cause) ? [span('result of ', 'faint')] : [];
	const line = [span(under, 'faint'), span(`${styles.glyphs[glyph].trimEnd()} `, tone), ...word, ...lineOf(cause, context)];
	return current ? selectRow(line) : line;
}

/** Never cut; scrolling costs only what is on the screen. */
function detailBody(event: FeedEvent, raw: boolean, open: OpenSession, { width, styles }: Room): LazyRows {
	const { entry, cwd } = contextOf(event, open, styles);
	return bodyRows(event, raw, width, styles, cwd, entry.result, entry.decision);
}

const bodyRows = remembering(
	(
		event: FeedEvent,
		raw: boolean,
		width: number,
		styles: Styles,
		cwd: string | undefined,
		result: FeedEntry['result'],
		decision: FeedEntry['decision'],
	): LazyRows => {
		const context = { entry: { event, result, decision }, cwd, styles };
		return createLazyRows(raw ? jsonRows(event, width) : (bodyOf(event, context, width) ?? wordedRows(event.data, width)));
	},
);

/** Results and decisions are shown on their own here, not with their call. */
function contextOf(event: FeedEvent, { feed, view }: OpenSession, styles: Styles): Context {
	const found = feed.find(event.event_id);
	const entry: FeedEntry = found?.event === event ? found : { event };
	return { entry, cwd: view.summary.cwd, styles };
}

function isResult({ kind }: FeedEvent): boolean {
	return kind === 'tool.post' || kind === 'tool.failure';
}
