// Past sessions of this project that Roost does not drive, to read or resume.
import { basename } from 'node:path';
import type { World } from '@roost/client/world/world';
import { age } from '@roost/core/display/age';
import { short } from '@roost/core/display/amounts';
import { plural } from '@roost/core/display/plural';
import type { PastSession } from '@roost/protocol/api/projects';
import { type Binding, MOVING } from '../keys/keymap.ts';
import { type Drawn, type Pane, type Room, type Step, stay } from '../pane.ts';
import { cell, numberCell } from '../parts/cells.ts';
import { clampList, drawList, filterKeys, LIST_START, type ListState, moveInList } from '../parts/list.ts';
import { remembering } from '../parts/remembering.ts';
import { EMPTY_FIELD, edit, insert, type TextField } from '../parts/text-field.ts';
import { wrapped } from '../parts/wrapped.ts';
import { type Row, row, rowWidth, span } from '../screen/row.ts';

export type PastState = { readonly list: ListState; readonly filter: TextField; readonly typing: boolean };

const START: PastState = { list: LIST_START, filter: EMPTY_FIELD, typing: false };

export const pastPane: Pane<PastState> = {
	title: 'Past sessions',
	keys: ({ typing }) => (typing ? TYPING : KEYS),
	start: () => START,
	act,
	takesText: ({ typing }) => typing,
	type: (state, text) => stay({ ...state, filter: insert(state.filter, text.replaceAll(/[\r\n]+/g, ' ')), list: LIST_START }),
	draw: drawPast,
};

const KEYS: readonly Binding[] = [
	...MOVING,
	{ keys: ['enter', 'o'], action: 'open', help: 'read it', hint: true },
	{ keys: ['R'], action: 'resume', help: 'resume it', hint: true },
	{ keys: ['/'], action: 'filter', help: 'filter as you type', hint: 'filter' },
	{ keys: ['ctrl+r'], action: 'refresh', help: 'scan again' },
	{ keys: ['esc'], action: 'leave', help: 'back to the sessions', hint: 'back' },
];

const TYPING = filterKeys('read it');

function act(state: PastState, action: string, world: World, room: Room): Step<PastState> {
	const filter = state.typing ? edit(state.filter, action) : null;
	if (filter) return stay({ ...state, filter, list: LIST_START });
	const shown = pastShown(state, world);
	const chosen = shown[clampList(state.list, shown.length, room.height).selected];
	switch (action) {
		case 'filter':
			return stay({ ...state, typing: true });
		case 'refresh':
			return { state, wishes: [{ type: 'read-past' }] };
		case 'leave':
			return leave(state);
		case 'open':
			return chosen ? { state, wishes: [{ type: 'open-past', session: chosen }], go: { place: 'feed' } } : stay(state);
		case 'resume':
			return chosen ? resume(state, chosen) : stay(state);
		default:
			return stay({ ...state, list: moveInList(state.list, action, shown.length, room.height - HEAD_ROWS) });
	}
}

/** Clears the filter first, then leaves. */
function leave(state: PastState): Step<PastState> {
	return state.typing || state.filter.text !== '' ? stay(START) : { state, go: 'sessions' };
}

function resume(state: PastState, session: PastSession): Step<PastState> {
	if (session.resumable) return { state, wishes: [{ type: 'resume-past', session }], go: { place: 'feed' } };
	return {
		state,
		wishes: [{ type: 'say', sentence: 'This session cannot be resumed: it has no messages, or its folder is gone.' }],
	};
}

const HEAD_ROWS = 2;

const ID = 8;

function drawPast(state: PastState, world: World, room: Room): Drawn {
	const shown = pastShown(state, world);
	const head = headRow(state, shown.length, world);
	const list = shown.length > 0 ? listRows(state, shown, world, room) : emptyRows(state, world, room);
	const column = Math.min(room.width - 1, rowWidth(head.slice(0, 2)));
	return { rows: [head, ...list].slice(0, room.height), cursor: state.typing ? { line: 0, column } : undefined };
}

function pastShown({ filter }: PastState, { past, sessions }: World): readonly PastSession[] {
	return past ? filterPast(past.sessions, sessions, filter.text) : [];
}

const filterPast = remembering((past: readonly PastSession[], sessions: World['sessions'], filter: string) => {
	const driven = new Set(sessions.flatMap((row) => (row.driven ? row.nativeIds.map(({ id }) => id) : [])));
	const words = filter.toLowerCase().split(/\s+/).filter(Boolean);
	return past.filter((session) => !driven.has(session.nativeId) && hasWords(session, words));
});

function hasWords({ nativeId, agent, title, cwd }: PastSession, words: readonly string[]): boolean {
	const text = [nativeId, agent, title, cwd].join(' ').toLowerCase();
	return words.every((word) => text.includes(word));
}

/** The filter comes first, so that the cursor can follow it. */
function headRow({ filter, typing }: PastState, count: number, { project, past }: World): Row {
	const looking = past === null || past.looking ? ', searching' : '';
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
		...(resumable ? [] : [span('read-only  ', 'faint')]),
		title ? span(title) : span('no prompt', 'faint'),
	];
	return [head, ...drawList(list, shown, Math.max(1, room.height - HEAD_ROWS), toRow)];
}

function emptyRows({ filter }: PastState, { past }: World, { width, height }: Room): Row[] {
	return [...wrapped(emptySentence(filter.text, past), width - 1, 'faint')].slice(0, height - 1);
}

function emptySentence(filter: string, past: World['past']): string {
	if (past === null || past.looking) return 'Searching for past sessions.';
	if (filter !== '') return 'No past session matches.';
	return 'No past sessions: Claude kept none of this project, or Roost drives them all.';
}
