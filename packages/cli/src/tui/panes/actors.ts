// Actors.
import { type Pane, stay } from '../pane.ts';
import { row } from '../screen/row.ts';

export type ActorsState = { readonly at: number };

export const actorsPane: Pane<ActorsState> = {
	title: 'Actors',
	keys: [{ keys: ['esc'], action: 'back', help: 'back', hint: true }],
	start: () => ({ at: 0 }),
	act: (state, action) => (action === 'back' ? { state, go: 'back' } : stay(state)),
	draw: () => ({ rows: [row('Actors')] }),
};
