// The whole screen as lines: header, the view, what is open above it, and the keys that work here.
import { GLOBAL } from './keys/keymap.ts';
import type { Room } from './pane.ts';
import { headerRows } from './panes/header.ts';
import type { Look } from './screen/look.ts';
import type { Cursor } from './screen/painter.ts';
import { EMPTY_ROW, type Row, row, span, toLine } from './screen/row.ts';
import { paneFor } from './shell/panes.ts';
import { focusOf, type Shell } from './shell/shell.ts';
import type { World } from './world.ts';

export type Frame = { lines: readonly string[]; cursor?: Cursor };

export type Window = { columns: number; rows: number };

const SMALLEST: Window = { columns: 60, rows: 12 };
const HEADER = 2;
const FOOTER = 1;

export type Scene = { shell: Shell; world: World; notice: string };

export function drawFrame({ shell, world, notice }: Scene, window: Window, look: Look): Frame {
	if (window.columns < SMALLEST.columns || window.rows < SMALLEST.rows) return tooSmall(window, look);
	const room = bodyRoom(window, look);
	const { width, height } = room;
	const drawn = paneFor(focusOf(shell), shell.panes).draw(world, room);
	const body = Array.from({ length: height }, (_, index) => drawn.rows[index] ?? EMPTY_ROW);
	const rows: Row[] = [...headerRows(world, width, look), ...body, notice ? row(span(` ${notice}`, 'warn')) : footerRow(shell)];
	const cursor = drawn.cursor && { ...drawn.cursor, line: drawn.cursor.line + HEADER };
	return { lines: rows.map((one) => toLine(one, width, look)), cursor };
}

/** One line stays free at the bottom: a terminal that gets its last one scrolls. */
export function bodyRoom({ columns, rows }: Window, look: Look): Room {
	return { width: columns, height: rows - HEADER - FOOTER - 1, look };
}

function footerRow(shell: Shell): Row {
	const pane = paneFor(focusOf(shell), shell.panes);
	const bindings = [...pane.keys, ...(pane.takesText() ? [] : GLOBAL)].filter(({ hint }) => hint);
	return row(
		span(` ${pane.title} `, 'title'),
		...bindings.flatMap(({ keys, help }) => [span(` ${keys[0]}`, 'key'), span(` ${help}`, 'faint')]),
	);
}

function tooSmall({ columns, rows }: Window, look: Look): Frame {
	const sentence = `Roost needs ${SMALLEST.columns}x${SMALLEST.rows}; this is ${columns}x${rows}.`;
	return {
		lines: Array.from({ length: Math.max(1, rows - 1) }, (_, index) => toLine(row(index === 0 ? sentence : ''), columns, look)),
	};
}
