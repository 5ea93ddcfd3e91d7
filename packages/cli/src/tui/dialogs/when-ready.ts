// A dialog that pops up must not take a key that was meant for what was there before.

import type { World } from '@roost/client/world/world';
import type { AskRow } from '@roost/protocol/ask';
import type { AskId } from '@roost/protocol/ids';
import type { Step } from '../pane.ts';

/** As long as it takes to see that something else is on the screen. */
export const LOOK_MS = 400;

export type OnScreen = { readonly ask: AskId | undefined; readonly since: number };

/** Also when it is over: somebody may still be looking at it. */
export function askOnScreen({ ask }: OnScreen, { asks, decided }: World): AskRow | undefined {
	return ask === undefined ? undefined : (asks.find(({ id }) => id === ask) ?? decided.get(ask));
}

/** What is decided now, unless it is too early, too late or under way already: then why not. */
export function whenReady<State extends OnScreen>(state: State, world: World, decide: (ask: AskRow) => Step<State>): Step<State> {
	const ask = askOnScreen(state, world);
	if (!ask) return { state, go: 'back' };
	if (ask.state !== 'pending') return { state, go: 'back' };
	if (world.answered.has(ask.id)) return refuse(state, 'Your answer is on its way already.');
	if (world.now - state.since < LOOK_MS) return refuse(state, 'This has just appeared: read it, then press the key again.');
	return decide(ask);
}

function refuse<State>(state: State, sentence: string): Step<State> {
	return { state, wishes: [{ type: 'say', sentence }] };
}
