// Stats.
import { type Pane, stay } from '../pane.ts';
import { row } from '../screen/row.ts';

export type StatsState = { readonly at: number };

export const statsPane: Pane<StatsState> = {
	title: 'Stats',
	keys: [{ keys: ['esc'], action: 'back', help: 'back', hint: true }],
	start: () => ({ at: 0 }),
	act: (state, action) => (action === 'back' ? { state, go: 'back' } : stay(state)),
	draw: () => ({ rows: [row('Stats')] }),
};
