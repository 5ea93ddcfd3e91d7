// How the list of past sessions looks, and which of them are in it.

import { basename } from 'node:path';
import type { World } from '@roost/client/world/world';
import { age } from '@roost/core/display/age';
import { short } from '@roost/core/display/amounts';
import { plural } from '@roost/core/display/plural';
import type { PastSession } from '@roost/protocol/api/projects';
import type { Drawn, Room } from '../pane.ts';
import { cell, numberCell } from '../parts/cells.ts';
import { drawList } from '../parts/list.ts';
import { wrapped } from '../parts/wrapped.ts';
import { type Row, row, rowWidth, span } from '../screen/row.ts';
import type { PastState } from './past.ts';

/** What stands above the list. */
export const HEAD_ROWS = 2;

const ID = 8;

export function drawPast(state: PastState, world: World, room: Room): Drawn {
	const shown = pastShown(state, world);
	const head = headRow(state, shown.length, world);
	const list = shown.length > 0 ? listRows(state, shown, world, room) : emptyRows(state, world, room);
	const column = Math.min(room.width - 1, rowWidth(head.slice(0, 2)));
	return { rows: [head, ...list].slice(0, room.height), cursor: state.typing ? { line: 0, column } : undefined };
}

/** Remembered, because it is asked for several times for each key and frame. */
export function pastShown({ filter }: PastState, { past, sessions }: World): readonly PastSession[] {
	if (!past) return [];
	const known = remembered.get(past.sessions);
	if (known?.sessions === sessions && known.filter === filter.text) return known.shown;
	const driven = new Set(sessions.flatMap((row) => (row.driven ? row.nativeIds.map(({ id }) => id) : [])));
	const words = filter.text.toLowerCase().split(/\s+/).filter(Boolean);
	const shown = past.sessions.filter((session) => !driven.has(session.nativeId) && hasWords(session, words));
	remembered.set(past.sessions, { sessions, filter: filter.text, shown });
	return shown;
}

type Remembered = { sessions: World['sessions']; filter: string; shown: readonly PastSession[] };
const remembered = new WeakMap<readonly PastSession[], Remembered>();

function hasWords({ nativeId, agent, title, cwd }: PastSession, words: readonly string[]): boolean {
	const text = [nativeId, agent, title, cwd].join(' ').toLowerCase();
	return words.every((word) => text.includes(word));
}

/** The part that is typed comes first, so that the cursor can stand behind it. */
function headRow({ filter, typing }: PastState, count: number, { project, past }: World): Row {
	const looking = past === null || past.looking ? ', looking for more' : '';
	const total = span(
		`  ${plural(count, 'past session')} of ${basename(project.path)} that Roost does not drive${looking}`,
		'faint',
	);
	if (!typing && filter.text === '') return row(total);
	return row(span(' /', 'accent'), span(filter.text.slice(0, filter.cursor)), span(filter.text.slice(filter.cursor)), total);
}

function listRows({ list }: PastState, shown: readonly PastSession[], { now }: World, room: Room): Row[] {
	const { styles } = room;
	const head: Row = [
		span('  '),
		cell('SESSION', ID, styles, 'faint'),
		span(' '),
		cell('AGE', 4, styles, 'faint'),
		numberCell('MESSAGES', 9, styles, 'faint'),
		span('  TITLE', 'faint'),
	];
	const toRow = ({ nativeId, lastActivity, messages, title, resumable }: PastSession): Row => [
		span('  '),
		cell(nativeId.slice(0, ID), ID, styles, 'accent'),
		span(' '),
		cell(age(lastActivity, now), 4, styles, 'faint'),
		numberCell(short(messages), 9, styles, 'faint'),
		span('  '),
		...(resumable ? [] : [span('to read only  ', 'faint')]),
		title ? span(title) : span('nothing was asked', 'faint'),
	];
	return [head, ...drawList(list, shown, Math.max(1, room.height - HEAD_ROWS), toRow)];
}

function emptyRows({ filter }: PastState, { past }: World, { width, height }: Room): Row[] {
	return [...wrapped(emptySentence(filter.text, past), width - 1, 'faint')].slice(0, height - 1);
}

function emptySentence(filter: string, past: World['past']): string {
	if (past === null || past.looking) return 'Looking for past sessions of this project.';
	if (filter !== '') return 'No past session has these words.';
	return 'No past sessions: Claude kept none of this project, or Roost drives them all.';
}
