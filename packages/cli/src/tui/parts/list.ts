// Lists and texts that scroll: what the moving keys do, and the rows on the screen.

import type { Binding } from '../keys/keymap.ts';
import { type Row, selectRow } from '../screen/row.ts';
import { EDITING } from './text-field.ts';

export type ListState = { readonly selected: number; readonly top: number };

export const LIST_START: ListState = { selected: 0, top: 0 };

/** Null where the action does not move. */
export function moveInList(state: ListState, action: string, count: number, height: number): ListState | null {
	const to = (selected: number) => clampList({ ...state, selected }, count, height);
	switch (action) {
		case 'down':
			return to(state.selected + 1);
		case 'up':
			return to(state.selected - 1);
		case 'page-down':
			return to(state.selected + height);
		case 'page-up':
			return to(state.selected - height);
		case 'top':
			return to(0);
		case 'bottom':
			return to(count - 1);
		default:
			return null;
	}
}

/** Also for lists that became shorter. */
export function clampList({ selected, top }: ListState, count: number, height: number): ListState {
	const chosen = Math.max(0, Math.min(selected, count - 1));
	const lowest = Math.max(0, chosen - height + 1);
	return { selected: chosen, top: Math.max(lowest, Math.min(top, chosen)) };
}

/** Only the rows that are on the screen are made. */
export function drawList<Item>(state: ListState, items: readonly Item[], height: number, toRow: (item: Item) => Row): Row[] {
	const { selected, top } = clampList(state, items.length, height);
	return items.slice(top, top + height).map((item, index) => (top + index === selected ? selectRow(toRow(item)) : toRow(item)));
}

export function scrollRows(top: number, action: string, count: number, height: number): number {
	return Math.max(0, Math.min(wantedTop(top, action, height), count - height));
}

/** Where nobody knows yet how many there are: it may lie outside, and the end lies infinitely far. */
export function wantedTop(top: number, action: string, height: number): number {
	switch (action) {
		case 'down':
			return top + 1;
		case 'up':
			return top - 1;
		case 'page-down':
			return top + height;
		case 'page-up':
			return top - height;
		case 'top':
			return 0;
		case 'bottom':
			return Number.POSITIVE_INFINITY;
		default:
			return top;
	}
}

export function filterKeys(open: string): readonly Binding[] {
	return [
		{ keys: ['enter'], action: 'open', help: open, hint: true },
		{ keys: ['esc'], action: 'leave', help: 'no filter', hint: true },
		{ keys: ['down', 'tab', 'ctrl+n'], action: 'down', help: 'down' },
		{ keys: ['up', 'shift+tab', 'ctrl+p'], action: 'up', help: 'up' },
		{ keys: ['pgdn'], action: 'page-down', help: 'a page down' },
		{ keys: ['pgup'], action: 'page-up', help: 'a page up' },
		...EDITING,
	];
}
