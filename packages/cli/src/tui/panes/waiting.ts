// Needs you: every request and question that waits, of all projects, to decide one and to see where it comes from.

import type { World } from '@roost/client/world/world';
import type { AskDetail } from '@roost/protocol/api/asks';
import { type Binding, MOVING } from '../keys/keymap.ts';
import { type Pane, type Room, type Step, stay } from '../pane.ts';
import { clampList, LIST_START, type ListState, moveInList } from '../parts/list.ts';
import { drawWaiting, HEAD_ROWS } from './waiting-rows.ts';

export type WaitingState = { readonly list: ListState };

export const waitingPane: Pane<WaitingState> = {
	title: 'Needs you',
	keys: [
		...MOVING,
		{ keys: ['enter', 'o'], action: 'decide', help: 'decide it', hint: 'decide' },
		{ keys: ['s'], action: 'session', help: 'open its session', hint: 'session' },
		{ keys: ['esc'], action: 'leave', help: 'back to the feed', hint: 'back' },
	] satisfies readonly Binding[],
	start: () => ({ list: LIST_START }),
	act,
	draw: ({ list }, world, room) => drawWaiting(list, world, room),
};

function act(state: WaitingState, action: string, world: World, room: Room): Step<WaitingState> {
	const { asks } = world;
	const height = room.height - HEAD_ROWS;
	const chosen = asks[clampList(state.list, asks.length, height).selected];
	switch (action) {
		case 'leave':
			return { state, go: 'back' };
		case 'decide':
		case 'session':
			return chosen ? openSession(state, chosen, action === 'decide') : stay(state);
		default:
			return stay({ list: moveInList(state.list, action, asks.length, height) ?? state.list });
	}
}

/** What is decided is decided in sight of its session. */
function openSession(state: WaitingState, { id, kind, sessionId }: AskDetail, decides: boolean): Step<WaitingState> {
	return {
		state,
		wishes: [{ type: 'open-session', id: sessionId }],
		go: decides ? { place: kind, ask: id } : { place: 'feed' },
	};
}
