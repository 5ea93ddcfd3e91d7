// The session in numbers: its runs, its tools, its tokens and its actors.

import type { World } from '@roost/client/world/world';
import { MOVING } from '../keys/keymap.ts';
import { type Pane, type Room, stay } from '../pane.ts';
import { scrollRows } from '../parts/scroll.ts';
import { type Row, row, span } from '../screen/row.ts';
import { actorStats, runStats, tokenStats, toolStats } from './stats-rows.ts';

export type StatsState = { readonly top: number };

export const statsPane: Pane<StatsState> = {
	title: 'Stats',
	keys: [...MOVING, { keys: ['esc'], action: 'back', help: 'back to the feed', hint: true }],
	start: () => ({ top: 0 }),
	act(state, action, world, room) {
		if (action === 'back') return { state, go: 'back' };
		return stay({ top: scrollRows(state.top, action, statRows(world, room).length, room.height) });
	},
	draw(state, world, room) {
		const rows = statRows(world, room);
		const top = scrollRows(state.top, '', rows.length, room.height);
		return { rows: rows.slice(top, top + room.height) };
	},
};

/** Bounded as the view is bounded, whatever the length of the session. */
function statRows({ open, now }: World, room: Room): Row[] {
	if (!open) return [row(span('No session is open.', 'faint'))];
	const parts = [
		runStats(open.view, now, room),
		toolStats(open.view, room),
		tokenStats(open.view, room),
		actorStats(open.view, room),
	];
	return parts.flatMap((rows, index) => (index === 0 ? rows : [[], ...rows]));
}
