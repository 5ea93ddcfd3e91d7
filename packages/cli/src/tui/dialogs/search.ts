// Full-text search over every session; a hit opens its session at that event.
import type { World } from '@roost/client/world/world';
import { age } from '@roost/core/display/age';
import { foundWords } from '@roost/core/views/found-words';
import type { SearchHit } from '@roost/protocol/api/search';
import type { Binding } from '../keys/keymap.ts';
import { type Drawn, type Pane, type Room, type Step, stay } from '../pane.ts';
import { cell } from '../parts/cells.ts';
import { clampList, drawList, LIST_START, type ListState, moveInList } from '../parts/list.ts';
import { drawField, EDITING, EMPTY_FIELD, edit, fieldWith, insert, type TextField } from '../parts/text-field.ts';
import { type Row, row, span } from '../screen/row.ts';

export type SearchState = {
	/** Until something is typed, the last search. */
	readonly typed?: TextField;
	readonly list: ListState;
};

const KEYS: readonly Binding[] = [
	{ keys: ['enter'], action: 'go', help: 'search, then open the selected hit', hint: true },
	{ keys: ['esc'], action: 'back', help: 'close', hint: true },
	{ keys: ['down', 'tab', 'ctrl+n', 'wheel-down'], action: 'down', help: 'next hit' },
	{ keys: ['up', 'shift+tab', 'ctrl+p', 'wheel-up'], action: 'up', help: 'previous hit' },
	{ keys: ['pgdn'], action: 'page-down', help: 'a page down' },
	{ keys: ['pgup'], action: 'page-up', help: 'a page up' },
	...EDITING,
];

export const searchPane: Pane<SearchState> = {
	title: 'Search all sessions',
	keys: KEYS,
	start: () => ({ list: LIST_START }),
	act,
	takesText: () => true,
	type: (state, text, world) =>
		stay({ list: LIST_START, typed: insert(fieldOf(state, world), text.replaceAll(/[\r\n]+/g, ' ')) }),
	draw,
};

function act(state: SearchState, action: string, world: World, room: Room): Step<SearchState> {
	const edited = edit(fieldOf(state, world), action);
	if (edited) return stay({ ...state, typed: edited });
	if (action === 'back') return { state, go: 'back' };
	if (action === 'go') return go(state, world, room);
	return stay({ ...state, list: moveInList(state.list, action, hitsOf(world).length, listHeight(room)) });
}

/** New words start a search; otherwise the selected hit is opened. */
function go(state: SearchState, world: World, room: Room): Step<SearchState> {
	const words = fieldOf(state, world).text.trim();
	if (words === '') return stay(state);
	if (words !== world.found?.words) return { state: { ...state, list: LIST_START }, wishes: [{ type: 'search', words }] };
	const hits = hitsOf(world);
	const hit = hits[clampList(state.list, hits.length, listHeight(room)).selected];
	if (!hit) return stay(state);
	const wishes = [{ type: 'open-session', id: hit.sessionId }] as const;
	return { state, wishes, go: { place: 'feed', event: hit.eventId } };
}

function fieldOf({ typed }: SearchState, { found }: World): TextField {
	return typed ?? (found ? fieldWith(found.words) : EMPTY_FIELD);
}

function hitsOf({ found }: World): readonly SearchHit[] {
	return found?.hits ?? [];
}

function listHeight({ height }: Room): number {
	return Math.max(1, height - 2);
}

const PROMPT = 3;

function draw(state: SearchState, world: World, room: Room): Drawn {
	const field = drawField(fieldOf(state, world), Math.max(1, room.width - PROMPT - 1));
	const typed = field.rows[field.cursor.line] ?? [];
	const rows = [
		row(span(` ${room.styles.glyphs.prompt[0]} `, 'accent'), ...typed),
		row(span(`   ${statusOf(state, world)}`, 'faint')),
		...drawList(state.list, hitsOf(world), listHeight(room), (hit) => hitRow(hit, world.now, room)),
	];
	return { rows: rows.slice(0, room.height), cursor: { line: 0, column: field.cursor.column + PROMPT } };
}

function statusOf(state: SearchState, world: World): string {
	const words = fieldOf(state, world).text.trim();
	const { found } = world;
	if (words !== found?.words) return words === '' ? 'Type words and press Enter.' : 'Press Enter to search every session.';
	if (!found.hits) return 'Looking.';
	return foundWords({ hits: found.hits, unsearched: found.unsearched });
}

function hitRow({ sessionId, ts, kind, excerpt, title }: SearchHit, now: number, { width, styles }: Room): Row {
	return [
		span('   '),
		cell(sessionId, 10, styles, 'accent'),
		span(' '),
		cell(age(ts, now), 5, styles, 'faint'),
		...(width >= 80 ? [cell(kind, 20, styles, 'faint'), span(' ')] : []),
		span((excerpt || title).replaceAll(/\s+/g, ' ')),
	];
}
