// Sessions: all of this project or of every project, running and past, to open, to go on with and to branch off.
import type { SessionId } from '@roost/protocol/ids';
import type { SessionRow } from '@roost/protocol/session-row';
import { type Binding, MOVING } from '../keys/keymap.ts';
import { type Pane, type Room, type Step, stay } from '../pane.ts';
import { clampList, LIST_START, type ListState, moveInList } from '../parts/list.ts';
import { EDITING, EMPTY_FIELD, edit, insert, type TextField } from '../parts/text-field.ts';
import { whyNotEnd } from '../parts/why-not-end.ts';
import type { World } from '../world.ts';
import { drawSessions, HEAD_ROWS, sessionsShown } from './sessions-rows.ts';

export type SessionsState = {
	readonly list: ListState;
	/** Of every project, not only of this one. */
	readonly everywhere: boolean;
	readonly filter: TextField;
	readonly typing: boolean;
	/** Asked whether this one shall end. */
	readonly ending?: SessionId;
};

export const sessionsPane: Pane<SessionsState> = {
	title: 'Sessions',
	keys: ({ typing, ending }) => (ending ? ENDING : typing ? TYPING : KEYS),
	start: () => ({ list: LIST_START, everywhere: false, filter: EMPTY_FIELD, typing: false }),
	again: ({ everywhere }) => ({ list: LIST_START, everywhere, filter: EMPTY_FIELD, typing: false }),
	act,
	takesText: ({ typing }) => typing,
	type: (state, text) => stay({ ...state, filter: insert(state.filter, text.replaceAll(/[\r\n]+/g, ' ')), list: LIST_START }),
	draw: drawSessions,
};

const KEYS: readonly Binding[] = [
	...MOVING,
	{ keys: ['enter', 'o'], action: 'open', help: 'open it', hint: true },
	{ keys: ['/'], action: 'filter', help: 'filter as you type', hint: true },
	{ keys: ['p'], action: 'everywhere', help: 'this project or all', hint: true },
	{ keys: ['r'], action: 'resume', help: 'go on with it' },
	{ keys: ['F'], action: 'fork', help: 'branch off from it' },
	{ keys: ['x'], action: 'end', help: 'end it for good' },
	{ keys: ['R'], action: 'refresh', help: 'read the list again' },
	{ keys: ['esc'], action: 'leave', help: 'back to the feed', hint: true },
];

const ENDING: readonly Binding[] = [
	{ keys: ['y'], action: 'end-now', help: 'end it', hint: true },
	{ keys: ['n', 'esc', 'enter'], action: 'keep', help: 'keep it', hint: true },
];

const TYPING: readonly Binding[] = [
	{ keys: ['enter'], action: 'open', help: 'open it', hint: true },
	{ keys: ['esc'], action: 'leave', help: 'no filter', hint: true },
	{ keys: ['down', 'tab', 'ctrl+n'], action: 'down', help: 'down' },
	{ keys: ['up', 'shift+tab', 'ctrl+p'], action: 'up', help: 'up' },
	{ keys: ['pgdn'], action: 'page-down', help: 'a page down' },
	{ keys: ['pgup'], action: 'page-up', help: 'a page up' },
	...EDITING,
];

function act(state: SessionsState, action: string, world: World, room: Room): Step<SessionsState> {
	const filter = state.typing ? edit(state.filter, action) : null;
	if (filter) return stay({ ...state, filter, list: LIST_START });
	const shown = sessionsShown(state, world);
	switch (action) {
		case 'filter':
			return stay({ ...state, typing: true });
		case 'everywhere':
			return stay({ ...state, everywhere: !state.everywhere, list: LIST_START });
		case 'refresh':
			return { state, wishes: [{ type: 'refresh-sessions' }] };
		case 'leave':
			return leave(state);
		case 'end-now':
			return { state: { ...state, ending: undefined }, wishes: state.ending ? [{ type: 'end-session', id: state.ending }] : [] };
		case 'keep':
			return stay({ ...state, ending: undefined });
		case 'open':
		case 'resume':
		case 'fork':
		case 'end':
			return actOnSession(state, action, shown[clampList(state.list, shown.length, room.height).selected], world);
		default:
			return stay({ ...state, list: moveInList(state.list, action, shown.length, room.height - HEAD_ROWS) ?? state.list });
	}
}

/** First out of the filter, then out of the list. */
function leave(state: SessionsState): Step<SessionsState> {
	if (state.typing || state.filter.text !== '') return stay({ ...state, typing: false, filter: EMPTY_FIELD, list: LIST_START });
	return { state, go: 'back' };
}

function actOnSession(
	state: SessionsState,
	action: 'open' | 'resume' | 'fork' | 'end',
	session: SessionRow | undefined,
	{ open }: World,
): Step<SessionsState> {
	if (!session) return stay(state);
	if (action === 'end') return askToEnd(state, session);
	if (action !== 'open') return { state, wishes: [{ type: `${action}-session`, id: session.id }] };
	if (open?.id === session.id) return { state, go: 'feed' };
	return { state, wishes: [{ type: 'open-session', id: session.id }], go: { place: 'feed' } };
}

function askToEnd(state: SessionsState, session: SessionRow): Step<SessionsState> {
	const sentence = whyNotEnd(session);
	return sentence ? { state, wishes: [{ type: 'say', sentence }] } : stay({ ...state, ending: session.id });
}
