// Help for where you are: the keys of the pane below, and those that work everywhere.
import { sanitiseLine } from '@roost/core/display/sanitise';
import { type Binding, GLOBAL, MOVING } from '../keys/keymap.ts';
import { type Pane, type Room, stay } from '../pane.ts';
import { scrollRows } from '../parts/scroll.ts';
import { fitRow, type Row, row, rowWidth, type Span, span } from '../screen/row.ts';
import { widthOf } from '../screen/text.ts';

export type HelpState = {
	/** Whose help it is. */
	readonly title: string;
	readonly here: readonly Binding[];
	/** While somebody writes, the other keys are letters. */
	readonly everywhere: readonly Binding[];
	readonly top: number;
};

export const helpPane: Pane<HelpState> = {
	title: 'Help',
	keys: [...MOVING, { keys: ['esc', '?', 'q', 'enter'], action: 'back', help: 'close help', hint: true }],
	start: () => ({ title: '', here: [], everywhere: GLOBAL, top: 0 }),
	act(state, action, _world, room) {
		if (action === 'back') return { state, go: 'back' };
		return stay({ ...state, top: scrollRows(state.top, action, helpRows(state, room).length, room.height) });
	},
	draw(state, _world, room) {
		const rows = helpRows(state, room);
		const top = scrollRows(state.top, '', rows.length, room.height);
		return { rows: rows.slice(top, top + room.height) };
	},
};

export function helpFor(pane: { title: string; keys: readonly Binding[]; takesText(): boolean }): HelpState {
	const here = pane.keys.filter(({ help }) => help !== undefined);
	return { title: pane.title, here, everywhere: pane.takesText() ? [] : GLOBAL, top: 0 };
}

const TWO_COLUMNS = 72;
const GAP = 2;

function helpRows({ title, here, everywhere }: HelpState, { width, look }: Room): Row[] {
	const own = section(title, here);
	const global = section('Everywhere', everywhere);
	if (width < TWO_COLUMNS) return [...own, [], ...global];
	const half = Math.floor((width - GAP) / 2);
	return Array.from({ length: Math.max(own.length, global.length) }, (_, index) => {
		const left = fitRow(own[index] ?? [], half, look);
		return [...left, span(' '.repeat(half + GAP - rowWidth(left))), ...fitRow(global[index] ?? [], half, look)];
	});
}

function section(title: string, bindings: readonly Binding[]): Row[] {
	const shown = bindings.map(({ keys, help = '' }) => ({ keys: keys.map(sanitiseLine).join(' '), help }));
	const widest = Math.min(20, Math.max(0, ...shown.map(({ keys }) => widthOf(keys))));
	return [row(span(` ${title}`, 'title')), ...shown.map(({ keys, help }) => [...padded(keys, widest), span(help)])];
}

function padded(keys: string, width: number): Span[] {
	return [span(`  ${keys}`, 'key'), span(' '.repeat(Math.max(0, width - widthOf(keys)) + 2))];
}
