// Composer.
import { type Pane, stay } from '../pane.ts';
import { row } from '../screen/row.ts';

export type ComposerState = { readonly at: number };

export const composerPane: Pane<ComposerState> = {
	title: 'Composer',
	keys: [{ keys: ['esc'], action: 'back', help: 'back', hint: true }],
	start: () => ({ at: 0 }),
	act: (state, action) => (action === 'back' ? { state, go: 'back' } : stay(state)),
	draw: () => ({ rows: [row('Composer')] }),
};
