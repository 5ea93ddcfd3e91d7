// Palette.
import { type Pane, stay } from '../pane.ts';
import { row } from '../screen/row.ts';

export type PaletteState = { readonly at: number };

export const palettePane: Pane<PaletteState> = {
	title: 'Palette',
	keys: [{ keys: ['esc'], action: 'back', help: 'back', hint: true }],
	start: () => ({ at: 0 }),
	act: (state, action) => (action === 'back' ? { state, go: 'back' } : stay(state)),
	draw: () => ({ rows: [row('Palette')] }),
};
