// The whole screen as lines: header, view, dialog and footer.
import type { World } from '@roost/client/world/world';
import { type Binding, GLOBAL } from './keys/keymap.ts';
import type { Drawn, Room } from './pane.ts';
import { headerRows } from './panes/header.ts';
import type { Cursor } from './screen/painter.ts';
import { EMPTY_ROW, type Row, row, rowWidth, span, toLine, unselectRow } from './screen/row.ts';
import type { Styles } from './screen/styles.ts';
import type { WindowSize } from './shell/host.ts';
import { paneFor } from './shell/panes.ts';
import { focusOf, type Shell } from './shell/shell.ts';

type Frame = { lines: readonly string[]; cursor?: Cursor };

export type Scene = { shell: Shell; world: World; notice: string };

const SMALLEST: WindowSize = { columns: 60, rows: 12 };
const HEADER = 2;
const FOOTER = 1;
const RULE = 1;
/** From this width on there is a side panel. */
const WIDE = 120;
const GAP = 3;

export function drawFrame({ shell, world, notice }: Scene, window: WindowSize, styles: Styles): Frame {
	if (window.columns < SMALLEST.columns || window.rows < SMALLEST.rows) return tooSmall(window, styles);
	const { columns } = window;
	const height = bodyHeight(window);
	const dialog = drawDialog(shell, world, window, styles);
	const below = dialog ? dialog.rows.length + RULE : 0;
	const view = paneFor(shell.view, shell.panes).draw(world, { ...viewRoom(shell, window, styles), height: height - below });
	const toLines = (rows: readonly Row[]) => rows.map((one) => toLine(one, columns, styles));
	const lines = [
		...toLines(headerRows(world, columns, styles)),
		...viewLines({ shell, world, notice }, view, { width: columns, height: height - below, styles }),
		...(dialog ? toLines([ruleRow(dialog.title, columns, styles), ...dialog.rows]) : []),
		...toLines([notice ? row(span(` ${notice}`, 'warn')) : footerRow(shell, columns)]),
	];
	return { lines, cursor: dialog ? lowered(dialog.cursor, HEADER + height - below + RULE) : lowered(view.cursor, HEADER) };
}

export function focusRoom(shell: Shell, window: WindowSize, styles: Styles): Room {
	return shell.dialogs.length > 0 ? dialogRoom(window, styles) : viewRoom(shell, window, styles);
}

/** One line stays free: writing the last one may scroll a terminal. */
function bodyHeight({ rows }: WindowSize): number {
	return rows - HEADER - FOOTER - 1;
}

function viewRoom(shell: Shell, window: WindowSize, styles: Styles): Room {
	const side = sideWidth(shell, window.columns);
	return { width: side > 0 ? window.columns - side - GAP : window.columns, height: bodyHeight(window), styles };
}

/** Maximum; a smaller dialog leaves the rest to the view. */
function dialogRoom(window: WindowSize, styles: Styles): Room {
	const height = bodyHeight(window);
	return { width: window.columns, height: height - RULE - Math.min(6, Math.floor(height / 4)), styles };
}

function drawDialog(shell: Shell, world: World, window: WindowSize, styles: Styles): (Drawn & { title: string }) | undefined {
	const name = shell.dialogs.at(-1);
	if (!name) return undefined;
	const pane = paneFor(name, shell.panes);
	const room = dialogRoom(window, styles);
	const { rows, cursor } = pane.draw(world, room);
	return { title: pane.title, rows: rows.slice(0, room.height), cursor };
}

function viewLines({ shell, world }: Scene, view: Drawn, { width, height, styles }: Room): string[] {
	const side = sideWidth(shell, width);
	const numbers = Array.from({ length: height }, (_, index) => index);
	if (side === 0) return numbers.map((index) => toLine(view.rows[index] ?? EMPTY_ROW, width, styles));
	const beside = sideRows(shell, world, { width: side, height, styles });
	const gap = `${styles.column(width - side - GAP)}${styles.paint('faint', ` ${styles.glyphs.vertical} `)}${styles.column(width - side)}`;
	// Joins lines, not rows, so that unchanged ones are not measured again.
	return numbers.map((index) => {
		const left = toLine(view.rows[index] ?? EMPTY_ROW, width - side - GAP, styles);
		return `${left}${gap}${toLine(beside[index] ?? EMPTY_ROW, side, styles, width - side)}`;
	});
}

function sideWidth({ view }: Shell, columns: number): number {
	return view === 'feed' && columns >= WIDE ? Math.max(36, Math.floor(columns * 0.28)) : 0;
}

/** Tasks above, actors below. Nothing is selected, because they have no focus. */
function sideRows(shell: Shell, world: World, room: Room): Row[] {
	const half = Math.floor(room.height / 2);
	const draw = (name: 'tasks' | 'actors', height: number): Row[] => {
		const pane = paneFor(name, shell.panes);
		const { rows } = pane.draw(world, { ...room, height: height - 1 });
		return [row(span(pane.title, 'title')), ...rows.slice(0, height - 1).map(unselectRow)];
	};
	const tasks = draw('tasks', half - 1);
	return [...tasks, EMPTY_ROW, ...draw('actors', room.height - tasks.length - 1)];
}

function ruleRow(title: string, width: number, styles: Styles): Row {
	const line = styles.glyphs.horizontal;
	const rest = Math.max(0, width - title.length - 4);
	return row(span(`${line}${line} `, 'faint'), span(title, 'title'), span(` ${line.repeat(rest)}`, 'faint'));
}

function lowered(cursor: Cursor | undefined, lines: number): Cursor | undefined {
	return cursor && { ...cursor, line: cursor.line + lines };
}

function tooSmall({ columns, rows }: WindowSize, styles: Styles): Frame {
	const sentence = `Roost needs ${SMALLEST.columns}x${SMALLEST.rows}; this is ${columns}x${rows}.`;
	const height = Math.max(1, rows - 1);
	return { lines: Array.from({ length: height }, (_, index) => toLine(row(index === 0 ? sentence : ''), columns, styles)) };
}

function footerRow(shell: Shell, width: number): Row {
	const pane = paneFor(focusOf(shell), shell.panes);
	const title = row(span(` ${pane.title} `, 'title'));
	const everywhere = pane.takesText() ? [] : hintsOf(GLOBAL);
	// The help key is always shown.
	const [help = []] = everywhere;
	const own = fitHints(title, hintsOf(pane.keys), width - rowWidth(help));
	return fitHints(own, everywhere, width);
}

function hintsOf(bindings: readonly Binding[]): Row[] {
	return bindings.flatMap(({ keys, help, hint }) => {
		const words = typeof hint === 'string' ? hint : help;
		return hint && words ? [row(span(` ${keys[0]}`, 'key'), span(` ${words} `, 'faint'))] : [];
	});
}

function fitHints(before: Row, hints: readonly Row[], width: number): Row {
	let shown = before;
	for (const hint of hints) {
		if (rowWidth(shown) + rowWidth(hint) > width) break;
		shown = [...shown, ...hint];
	}
	return shown;
}
