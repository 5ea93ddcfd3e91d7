// Lists and texts that scroll: what the moving keys do, and the rows on the screen.
import type { Binding } from '../keys/keymap.ts';
import { type Row, selectRow } from '../screen/row.ts';
import { EDITING } from './text-field.ts';

export type ListState = { readonly selected: number; readonly top: number };

export const LIST_START: ListState = { selected: 0, top: 0 };

/** Other actions only limit it to the list. */
export function moveInList(state: ListState, action: string, count: number, height: number): ListState {
	return clampList({ ...state, selected: movedBy(action, state.selected, height) }, count, height);
}

export function clampList({ selected, top }: ListState, count: number, height: number): ListState {
	const chosen = Math.max(0, Math.min(selected, count - 1));
	const lowest = Math.max(0, chosen - height + 1);
	return { selected: chosen, top: Math.max(lowest, Math.min(top, chosen)) };
}

/** Makes only the visible rows. */
export function drawList<Item>(state: ListState, items: readonly Item[], height: number, toRow: (item: Item) => Row): Row[] {
	const { selected, top } = clampList(state, items.length, height);
	return items.slice(top, top + height).map((item, index) => (top + index === selected ? selectRow(toRow(item)) : toRow(item)));
}

export function scrollRows(top: number, action: string, count: number, height: number): number {
	return Math.max(0, Math.min(movedBy(action, top, height), count - height));
}

/** The place after a moving key; not limited to the list. */
export function movedBy(action: string, place: number, page: number): number {
	const moved: Readonly<Record<string, number>> = {
		down: place + 1,
		up: place - 1,
		'page-down': place + page,
		'page-up': place - page,
		top: Number.NEGATIVE_INFINITY,
		bottom: Number.POSITIVE_INFINITY,
	};
	return moved[action] ?? place;
}

export function filterKeys(open: string): readonly Binding[] {
	return [
		{ keys: ['enter'], action: 'open', help: open, hint: true },
		{ keys: ['esc'], action: 'leave', help: 'clear the filter', hint: true },
		{ keys: ['down', 'tab', 'ctrl+n'], action: 'down', help: 'down' },
		{ keys: ['up', 'shift+tab', 'ctrl+p'], action: 'up', help: 'up' },
		{ keys: ['pgdn'], action: 'page-down', help: 'a page down' },
		{ keys: ['pgup'], action: 'page-up', help: 'a page up' },
		...EDITING,
	];
}
