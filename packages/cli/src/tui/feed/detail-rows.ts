// The parts of the detail view: the chain of causes with the facts of the event, and its whole body.
import type { OpenSession } from '@roost/client/world/world';
import { actorName, actorOf } from '@roost/core/views/actor-names';
import type { FeedEntry } from '@roost/core/views/feed-list';
import type { FeedEvent } from '@roost/protocol/feed/event';
import type { Room } from '../pane.ts';
import { createLazyRows, type LazyRows } from '../parts/lazy-rows.ts';
import { wrapped } from '../parts/wrapped.ts';
import type { Context } from '../renderers/renderer.ts';
import { fieldRows, jsonRows } from '../renderers/rows.ts';
import { bodyOf, lineOf, signOf } from '../renderers/table.ts';
import { type Row, row, selectRow, span } from '../screen/row.ts';
import type { Styles } from '../screen/styles.ts';
import { clock } from './entry-rows.ts';

/** The nearest causes are the ones that tell. */
const MOST_CAUSES = 6;

export function detailHead(event: FeedEvent, chain: readonly FeedEvent[], open: OpenSession, { width, styles }: Room): Row[] {
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

/** Never cut; remembered as long as nothing about it changes, so that scrolling costs what is on the screen. */
export function detailBody(event: FeedEvent, raw: boolean, open: OpenSession, { width, styles }: Room): LazyRows {
	const context = contextOf(event, open, styles);
	const { result, decision } = context.entry;
	const known = remembered.get(event);
	const style = { raw, width, styles, result, decision };
	if (known && isSame(known, style)) return known.rows;
	const shown = raw ? jsonRows(event, width) : (bodyOf(event, context, width) ?? fieldRows(event.data, width));
	const rows = createLazyRows(shown);
	remembered.set(event, { ...style, rows });
	return rows;
}

type Style = Pick<FeedEntry, 'result' | 'decision'> & { raw: boolean; width: number; styles: Styles };
const remembered = new WeakMap<FeedEvent, Style & { rows: LazyRows }>();

function isSame(known: Style, { raw, width, styles, result, decision }: Style): boolean {
	return (
		known.raw === raw &&
		known.width === width &&
		known.styles === styles &&
		known.result === result &&
		known.decision === decision
	);
}

/** What stands with its call or its request in the feed stands for itself here. */
function contextOf(event: FeedEvent, { feed, view }: OpenSession, styles: Styles): Context {
	const found = feed.find(event.event_id);
	const entry: FeedEntry = found?.event === event ? found : { event };
	return { entry, cwd: view.summary.cwd, styles };
}

function isResult({ kind }: FeedEvent): boolean {
	return kind === 'tool.post' || kind === 'tool.failure';
}
