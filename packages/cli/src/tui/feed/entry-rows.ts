// An entry of the feed as rows: its line, and below it its body when it is open. Remembered until something about it changes.
import type { FeedEvent } from '@roost/protocol/feed/event';
import { bodyOf, canOpen, glyphOf, lineOf } from '../renderers/table.ts';
import type { Look } from '../screen/look.ts';
import { type Row, selectRow, span, spread } from '../screen/row.ts';
import type { FeedEntry } from './feed-list.ts';

export type EntryStyle = { open: boolean; selected: boolean; width: number; look: Look };

export function entryRows(entry: FeedEntry, style: EntryStyle): readonly Row[] {
	const known = remembered.get(entry);
	if (known && isSame(known, entry, style)) return known.rows;
	const line = summaryRow(entry, style);
	const rows = [style.selected ? selectRow(line) : line, ...(style.open ? indented(entry, style) : [])];
	remembered.set(entry, { ...style, result: entry.result, rows });
	return rows;
}

/** Whether it is open unless the user says otherwise. */
export function opensByItself({ event }: FeedEntry): boolean {
	return canOpen(event) && event.ui?.collapsed_default === false;
}

type Remembered = EntryStyle & { result: FeedEntry['result']; rows: readonly Row[] };
const remembered = new WeakMap<FeedEntry, Remembered>();

function isSame(known: Remembered, entry: FeedEntry, style: EntryStyle): boolean {
	return (
		known.open === style.open &&
		known.selected === style.selected &&
		known.width === style.width &&
		known.look === style.look &&
		known.result === entry.result
	);
}

function summaryRow(entry: FeedEntry, { open, width, look }: EntryStyle): Row {
	const { event } = entry;
	const { glyph, tone } = glyphOf(event);
	const fold = canOpen(event) ? (open ? look.glyphs.expanded : look.glyphs.collapsed) : ' ';
	const left = [
		span(clock(event.ts), 'faint'),
		span(` ${indent(event)}`, 'faint'),
		span(`${fold} `, 'faint'),
		span(`${look.glyphs[glyph]} `, tone),
		...lineOf(event, entry),
	];
	const took = entry.result ? duration(entry.result.ts - event.ts) : '';
	return spread(left, took ? [span(took, 'faint')] : [], width, look);
}

const BODY_INDENT = '           ';

function indented(entry: FeedEntry, { width, look }: EntryStyle): Row[] {
	const room = { width: Math.max(10, width - BODY_INDENT.length), look };
	return bodyOf(entry.event, entry, room).map((line) => [span(BODY_INDENT), ...line]);
}

/** What a subagent does stands under whoever started it. */
function indent(event: FeedEvent): string {
	return event.actor_id.startsWith('subagent:') ? '│ ' : '';
}

function clock(ts: number): string {
	return new Date(ts).toTimeString().slice(0, 8);
}

export function duration(ms: number): string {
	if (ms < 1_000) return `${Math.max(0, Math.round(ms))}ms`;
	if (ms < 60_000) return `${(ms / 1_000).toFixed(1)}s`;
	return `${Math.floor(ms / 60_000)}m${String(Math.floor((ms % 60_000) / 1_000)).padStart(2, '0')}s`;
}
