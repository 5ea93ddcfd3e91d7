// Past sessions of this project that Roost does not drive, whether it observed them or not: to be read or resumed.

import type { World } from '@roost/client/world/world';
import type { PastSession } from '@roost/protocol/api/projects';
import { type Binding, MOVING } from '../keys/keymap.ts';
import { type Pane, type Room, type Step, stay } from '../pane.ts';
import { filterKeys } from '../parts/filter-keys.ts';
import { clampList, LIST_START, type ListState, moveInList } from '../parts/list.ts';
import { EMPTY_FIELD, edit, insert, type TextField } from '../parts/text-field.ts';
import { drawPast, HEAD_ROWS, pastShown } from './past-rows.ts';

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
	{ keys: ['ctrl+r'], action: 'refresh', help: 'look for them again' },
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
			return stay({ ...state, list: moveInList(state.list, action, shown.length, room.height - HEAD_ROWS) ?? state.list });
	}
}

/** First out of the filter, then out of the list. */
function leave(state: PastState): Step<PastState> {
	return state.typing || state.filter.text !== '' ? stay(START) : { state, go: 'sessions' };
}

function resume(state: PastState, session: PastSession): Step<PastState> {
	if (session.resumable) return { state, wishes: [{ type: 'resume-past', session }], go: { place: 'feed' } };
	return { state, wishes: [{ type: 'say', sentence: 'It cannot be resumed: it has no messages, or its folder is gone.' }] };
}
