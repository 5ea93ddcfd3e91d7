// Permission.
import { type Pane, stay } from '../pane.ts';
import { row } from '../screen/row.ts';

export type PermissionState = { readonly at: number };

export const permissionPane: Pane<PermissionState> = {
	title: 'Permission',
	keys: [{ keys: ['esc'], action: 'back', help: 'back', hint: true }],
	start: () => ({ at: 0 }),
	act: (state, action) => (action === 'back' ? { state, go: 'back' } : stay(state)),
	draw: () => ({ rows: [row('Permission')] }),
};
