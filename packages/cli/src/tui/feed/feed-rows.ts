// The feed as rows: each entry with its line, and its body when it is expanded. Text being streamed comes last.
import type { OpenSession } from '@roost/client/world/world';
import { actorName, actorOf, depthOf } from '@roost/core/views/actor-names';
import type { Actors } from '@roost/core/views/actors';
import type { FeedEntry } from '@roost/core/views/feed-list';
import { continuedWords } from '@roost/core/views/words';
import { actorId, type EventId } from '@roost/protocol/ids';
import { clock } from '../../output/feed-line.ts';
import type { Room } from '../pane.ts';
import { divider } from '../parts/cells.ts';
import { createLazyRows, type LazyRows } from '../parts/lazy-rows.ts';
import { wrapped } from '../parts/wrapped.ts';
import type { Context } from '../renderers/renderer.ts';
import { bodyOf, flows, lineOf, opensByItself, signOf } from '../renderers/table.ts';
import { type Row, row, rowWidth, type Span, selectRow, span, spread } from '../screen/row.ts';
import type { Styles } from '../screen/styles.ts';
import type { ListShape } from './window.ts';

export type FeedRows = ListShape & { rowsAt(index: number): readonly Row[] };

/** `opened`: entries that the user expanded or collapsed. */
type Shown = { readonly selected: number; readonly opened: ReadonlyMap<EventId, boolean> };

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

export type EntryStyle = {
	readonly open: boolean;
	readonly width: number;
	readonly styles: Styles;
	/** Working directory of the session. */
	readonly cwd?: string;
	/** Indentation under the actor that started this one. */
	readonly depth: number;
	/** Set on lines where the actor changes. */
	readonly name?: string;
};

export function entryRows(entry: FeedEntry, style: EntryStyle, selected: boolean): readonly Row[] {
	const known = remembered.get(entry);
	const made = known && isSame(known, entry, style) ? known : { ...style, ...outcomeOf(entry), rows: makeRows(entry, style) };
	if (made !== known) remembered.set(entry, made);
	if (!selected) return made.rows;
	made.selectedRows ??= made.rows.map((line, index) => (index === 0 ? selectRow(line) : line));
	return made.selectedRows;
}

type Remembered = EntryStyle & Pick<FeedEntry, 'result' | 'decision'> & { rows: readonly Row[]; selectedRows?: readonly Row[] };
const remembered = new WeakMap<FeedEntry, Remembered>();

function isSame(known: Remembered, entry: FeedEntry, style: EntryStyle): boolean {
	return (
		known.open === style.open &&
		known.width === style.width &&
		known.styles === style.styles &&
		known.cwd === style.cwd &&
		known.depth === style.depth &&
		known.name === style.name &&
		known.result === entry.result &&
		known.decision === entry.decision
	);
}

function outcomeOf({ result, decision }: FeedEntry): Pick<FeedEntry, 'result' | 'decision'> {
	return { result, decision };
}

const NARROWEST = 10;

function makeRows(entry: FeedEntry, style: EntryStyle): readonly Row[] {
	const { styles, width, cwd, open } = style;
	const context: Context = { entry, cwd, styles };
	const edge = rowWidth(prefixOf(entry, style, ' '));
	const lazy = bodyOf(entry.event, context, Math.max(NARROWEST, width - edge));
	const body = lazy && createLazyRows(lazy);
	const inPlace = flows(entry.event) && style.name === undefined;
	const prefix = prefixOf(entry, style, foldOf(body, inPlace, style));
	if (!open || !body) return [summaryRow(entry, prefix, context, style)];
	const rows = cappedRows(body, styles);
	const margin = span(' '.repeat(edge));
	if (inPlace) return (rows.length > 0 ? rows : [[]]).map((line, index) => [...(index === 0 ? prefix : [margin]), ...line]);
	return [summaryRow(entry, prefix, context, style), ...rows.map((line) => [margin, ...line])];
}

function prefixOf(entry: FeedEntry, { styles, depth }: EntryStyle, fold: string): Span[] {
	const { glyph, tone } = signOf(entry.event, entry);
	const under = `${styles.glyphs.vertical} `.repeat(depth);
	return [span(`${clock(entry.event.ts)} ${under}${fold} `, 'faint'), span(`${styles.glyphs[glyph].trimEnd()} `, tone)];
}

/** No sign if there is nothing more to expand. */
function foldOf(body: LazyRows | undefined, inPlace: boolean, { open, styles }: EntryStyle): string {
	if (!body || (inPlace && body.count(2) < 2)) return ' ';
	return open ? styles.glyphs.expanded : styles.glyphs.collapsed;
}

function summaryRow(entry: FeedEntry, prefix: Row, context: Context, { name, width, styles }: EntryStyle): Row {
	const who = name === undefined ? [] : [span(`${name} `, 'accent')];
	const took = tookOf(entry);
	return spread([...prefix, ...who, ...lineOf(entry.event, context)], took ? [span(took, 'faint')] : [], width, styles);
}

/** Duration of a call, or time until a decision. */
function tookOf({ event, result, decision, waitedMs = 0 }: FeedEntry): string {
	if (result) return duration(result.data.duration_ms ?? result.ts - event.ts - waitedMs);
	return decision && event.kind === 'permission.request' && decision.data.decided_by !== 'rule'
		? duration(decision.ts - event.ts)
		: '';
}

/** Rows of a body in the feed; the detail view shows all. */
export const MOST_ROWS = 30;
const MOST_COUNTED = 1_000;

function cappedRows(body: LazyRows, styles: Styles): readonly Row[] {
	if (body.count(MOST_ROWS + 2) <= MOST_ROWS + 1) return body.take(0, MOST_ROWS + 1);
	const hidden = body.count(MOST_ROWS + MOST_COUNTED) - MOST_ROWS;
	const amount = hidden < MOST_COUNTED ? `${hidden}` : `at least ${MOST_COUNTED}`;
	return [...body.take(0, MOST_ROWS), row(span(`${styles.glyphs.more} ${amount} more lines: press o`, 'accent'))];
}

export function duration(ms: number): string {
	if (ms < 1_000) return `${Math.max(0, Math.round(ms))}ms`;
	if (ms < 60_000) return `${(ms / 1_000).toFixed(1)}s`;
	return `${Math.floor(ms / 60_000)}m${String(Math.floor((ms % 60_000) / 1_000)).padStart(2, '0')}s`;
}

/** At most half of the height. */
export function streamingRows(streaming: ReadonlyMap<string, string>, actors: Actors, room: Room): Row[] {
	const most = Math.max(1, Math.floor(room.height / 2 / Math.max(1, streaming.size)));
	return [...streaming].flatMap(([id, text]) => textRows(id, text, actors, room, most)).slice(0, Math.floor(room.height / 2));
}

const TIME = ' '.repeat(9);

function textRows(id: string, text: string, actors: Actors, { width, styles }: Room, most: number): Row[] {
	const actor = actorId.parse(id);
	const depth = depthOf(actor, actors);
	const under = `${TIME}${`${styles.glyphs.vertical} `.repeat(depth)}  `;
	const who = depth > 0 ? `${actorName(actor, actors)}: ` : '';
	const lines = [...wrapped(`${who}${tailOf(text, width * most)}`, Math.max(10, width - under.length - 2), 'faint')].slice(-most);
	return lines.map((line, index) => [
		span(under, 'faint'),
		span(index === 0 ? `${styles.glyphs.working} ` : '  ', 'agent'),
		...line,
	]);
}

/** Starts at a line break if one is near, so that lines do not move while the text grows. */
function tailOf(text: string, length: number): string {
	if (text.length <= length * 2) return text;
	const near = text.slice(-length * 2);
	const newline = near.indexOf('\n');
	return newline >= 0 && newline < length ? near.slice(newline + 1) : near;
}
