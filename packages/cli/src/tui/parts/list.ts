// A list that is scrolled and chosen from: one row per item, the chosen one always on the screen.
import { type Row, selectRow } from '../screen/row.ts';

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
