// Sessions of this project or of all: open, resume, rename, archive, end.
import type { World } from '@roost/client/world/world';
import type { SessionId } from '@roost/protocol/ids';
import type { SessionRow } from '@roost/protocol/session-row';
import { type Binding, MOVING } from '../keys/keymap.ts';
import { type Pane, type Room, type Step, stay } from '../pane.ts';
import { clampList, filterKeys, LIST_START, type ListState, moveInList } from '../parts/list.ts';
import { EDITING, EMPTY_FIELD, edit, fieldWith, insert, type TextField } from '../parts/text-field.ts';
import { whyNotEnd } from './run-states.ts';
import { drawSessions, HEAD_ROWS, sessionsShown } from './sessions-rows.ts';

export type SessionsState = {
	readonly list: ListState;
	readonly everywhere: boolean;
	readonly archived: boolean;
	readonly filter: TextField;
	readonly typing: boolean;
	/** Confirming the end of this session. */
	readonly ending?: SessionId;
	readonly renaming?: Renaming;
};

export type Renaming = { readonly id: SessionId; readonly field: TextField };

/** Limit of the runner. */
const LONGEST_TITLE = 200;
const NO_TITLE = 'A title must have some text. Type it, or press Esc to keep the old one.';

export const sessionsPane: Pane<SessionsState> = {
	title: 'Sessions',
	keys: ({ typing, ending, renaming }) => (renaming ? RENAMING : ending ? ENDING : typing ? TYPING : KEYS),
	// The folder of this machine says nothing about another one.
	start: ({ runners }) => ({ ...START, everywhere: runners !== null }),
	again: ({ everywhere, archived }) => ({ ...START, everywhere, archived }),
	act,
	takesText: ({ typing, renaming }) => typing || renaming !== undefined,
	type: (state, text) => stay(typeText(state, text.replaceAll(/[\r\n]+/g, ' '))),
	draw: drawSessions,
};

const START: SessionsState = { list: LIST_START, everywhere: false, archived: false, filter: EMPTY_FIELD, typing: false };

const KEYS: readonly Binding[] = [
	...MOVING,
	{ keys: ['enter', 'o'], action: 'open', help: 'open it', hint: true },
	{ keys: ['/'], action: 'filter', help: 'filter as you type', hint: 'filter' },
	{ keys: ['p'], action: 'everywhere', help: 'this project or all', hint: true },
	{ keys: ['r'], action: 'rename', help: 'rename it', hint: 'rename' },
	{ keys: ['R'], action: 'resume', help: 'resume it', hint: 'resume' },
	{ keys: ['F'], action: 'fork', help: 'fork it' },
	{ keys: ['A'], action: 'archive', help: 'archive or restore it' },
	{ keys: ['v'], action: 'archived', help: 'show archived sessions' },
	{ keys: ['P'], action: 'past', help: 'past sessions', hint: 'past' },
	{ keys: ['x'], action: 'end', help: 'end it' },
	{ keys: ['ctrl+r'], action: 'refresh', help: 'reload the list' },
	{ keys: ['esc'], action: 'leave', help: 'back to the feed', hint: 'back' },
];

const ENDING: readonly Binding[] = [
	{ keys: ['y'], action: 'end-now', help: 'end it', hint: true },
	{ keys: ['n', 'esc', 'enter'], action: 'keep', help: 'keep it', hint: true },
];

const RENAMING: readonly Binding[] = [
	{ keys: ['enter'], action: 'rename-now', help: 'rename it', hint: true },
	{ keys: ['esc'], action: 'keep-title', help: 'keep its title', hint: true },
	...EDITING,
];

const TYPING = filterKeys('open it');

function act(state: SessionsState, action: string, world: World, room: Room): Step<SessionsState> {
	if (state.renaming) return rename(state, state.renaming, action);
	const filter = state.typing ? edit(state.filter, action) : null;
	if (filter) return stay({ ...state, filter, list: LIST_START });
	const shown = sessionsShown(state, world);
	switch (action) {
		case 'filter':
			return stay({ ...state, typing: true });
		case 'everywhere':
			return stay({ ...state, everywhere: !state.everywhere, list: LIST_START });
		case 'archived':
			return stay({ ...state, archived: !state.archived, list: LIST_START });
		case 'past':
			return { state, go: 'past' };
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
		case 'rename':
		case 'archive':
		case 'end':
			return actOnSession(state, action, shown[clampList(state.list, shown.length, room.height).selected], world);
		default:
			return stay({ ...state, list: moveInList(state.list, action, shown.length, room.height - HEAD_ROWS) });
	}
}

/** Clears the filter first, then leaves. */
function leave(state: SessionsState): Step<SessionsState> {
	if (state.typing || state.filter.text !== '') return stay({ ...state, typing: false, filter: EMPTY_FIELD, list: LIST_START });
	return { state, go: 'back' };
}

function actOnSession(
	state: SessionsState,
	action: 'open' | 'resume' | 'fork' | 'rename' | 'archive' | 'end',
	session: SessionRow | undefined,
	{ open }: World,
): Step<SessionsState> {
	if (!session) return stay(state);
	const { id } = session;
	switch (action) {
		case 'open':
			if (open?.id === id) return { state, go: 'feed' };
			return { state, wishes: [{ type: 'open-session', id }], go: { place: 'feed' } };
		case 'resume':
		case 'fork':
			return { state, wishes: [{ type: `${action}-session`, id }] };
		case 'rename':
			return stay({ ...state, renaming: { id, field: fieldWith(session.title.slice(0, LONGEST_TITLE)) } });
		case 'archive':
			return { state, wishes: [{ type: 'archive-session', id, archived: !session.archived }] };
		case 'end':
			return askToEnd(state, session);
	}
}

function typeText(state: SessionsState, text: string): SessionsState {
	const { renaming } = state;
	if (!renaming) return { ...state, filter: insert(state.filter, text), list: LIST_START };
	const field = insert(renaming.field, text);
	return field.text.length > LONGEST_TITLE ? state : { ...state, renaming: { ...renaming, field } };
}

function rename(state: SessionsState, { id, field }: Renaming, action: string): Step<SessionsState> {
	const done = { ...state, renaming: undefined };
	if (action === 'keep-title') return stay(done);
	const title = field.text.trim();
	if (action !== 'rename-now') return stay({ ...state, renaming: { id, field: edit(field, action) ?? field } });
	if (title === '') return { state, wishes: [{ type: 'say', sentence: NO_TITLE }] };
	return { state: done, wishes: [{ type: 'rename-session', id, title }] };
}

function askToEnd(state: SessionsState, session: SessionRow): Step<SessionsState> {
	const sentence = whyNotEnd(session);
	return sentence ? { state, wishes: [{ type: 'say', sentence }] } : stay({ ...state, ending: session.id });
}
