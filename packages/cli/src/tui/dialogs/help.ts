// Help: the keys of the current pane, and those that work everywhere.
import { type Binding, GLOBAL, MOVING } from '../keys/keymap.ts';
import { type Pane, type Room, stay } from '../pane.ts';
import { divider, elsewhere } from '../parts/cells.ts';
import { scrollRows } from '../parts/list.ts';
import { fitRow, type Row, row, rowWidth, span } from '../screen/row.ts';

export type HelpState = {
	readonly title: string;
	readonly here: readonly Binding[];
	/** Empty while text is typed. */
	readonly everywhere: readonly Binding[];
	readonly top: number;
};

export const helpPane: Pane<HelpState> = {
	title: 'Help',
	keys: [...MOVING, { keys: ['esc', '?', 'q', 'enter'], action: 'back', help: 'close help', hint: true }],
	start: () => ({ title: '', here: [], everywhere: GLOBAL, top: 0 }),
	act(state, action, _world, room) {
		if (action === 'back') return { state, go: 'back' };
		const { count, height } = pageOf(state, room);
		return stay({ ...state, top: scrollRows(state.top, action, count, height) });
	},
	draw(state, _world, room) {
		const { rows, count, height } = pageOf(state, room);
		const top = scrollRows(state.top, '', count, height);
		const shown = rows.slice(top, top + height);
		if (count <= height) return { rows: shown };
		return { rows: [...shown, divider(elsewhere(top + height < count, top > 0), room.width, room.styles)] };
	},
};

/** The last line says where there is more, unless everything fits. */
function pageOf(state: HelpState, room: Room): { rows: Row[]; count: number; height: number } {
	const rows = helpRows(state, room);
	return { rows, count: rows.length, height: rows.length > room.height ? room.height - 1 : room.height };
}

/** Keys of this pane first. */
export function helpFor(
	pane: { title: string; keys: readonly Binding[]; takesText(): boolean },
	global: readonly Binding[] = GLOBAL,
): HelpState {
	const explained = pane.keys.filter(({ help }) => help !== undefined);
	const own = explained.filter((binding) => !MOVING.includes(binding));
	const here = [...own, ...explained.filter((binding) => MOVING.includes(binding))];
	return { title: pane.title, here, everywhere: pane.takesText() ? [] : global, top: 0 };
}

const TWO_COLUMNS = 72;
const ALL_KEYS = 110;
const GAP = 2;

function helpRows({ title, here, everywhere }: HelpState, { width, styles }: Room): Row[] {
	const most = width >= ALL_KEYS ? Number.POSITIVE_INFINITY : 2;
	const own = section(title, here, most);
	const global = everywhere.length > 0 ? section('Everywhere', everywhere, most) : [];
	if (width < TWO_COLUMNS) return [...own, [], ...global];
	const half = Math.floor((width - GAP) / 2);
	return Array.from({ length: Math.max(own.length, global.length) }, (_, index) => {
		const left = fitRow(own[index] ?? [], half, styles);
		return [...left, span(' '.repeat(half + GAP - rowWidth(left))), ...fitRow(global[index] ?? [], half, styles)];
	});
}

function section(title: string, bindings: readonly Binding[], most: number): Row[] {
	const shown = bindings.map(({ keys, help = '' }) => ({ keys: keys.slice(0, most).join(' '), help }));
	const widest = Math.max(0, ...shown.map(({ keys }) => keys.length));
	return [
		row(span(` ${title}`, 'title')),
		...shown.map(({ keys, help }) => row(span(`  ${keys.padEnd(widest)}  `, 'key'), help)),
	];
}
