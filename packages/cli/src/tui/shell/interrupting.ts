// Escape twice within a second stops what the agent of the open session is doing; once is only Escape.

import type { World } from '@roost/client/world/world';
import type { KeyPress } from '../keys/key.ts';
import type { DialogName, ViewName } from '../pane.ts';
import type { Pressed, Shell } from './shell.ts';

const TWICE_MS = 1_000;

/** Where Escape may mean the agent; elsewhere it closes what is open. */
const PLACES: ReadonlySet<ViewName | DialogName> = new Set(['feed', 'composer']);

/** After the key, pressed in that place, did what it does there. */
export function noteEscape(before: Shell, place: ViewName | DialogName, pressed: Pressed, key: KeyPress, world: World): Pressed {
	const working = workingSession(world);
	if (key.name !== 'esc' || working === null || !PLACES.has(place)) return escaped(pressed, null);
	if (!isArmed(before, world.now)) return escaped(pressed, world.now);
	const { shell, wishes } = escaped(pressed, null);
	return { shell, wishes: [...wishes, { type: 'interrupt', id: working }] };
}

/** What to say meanwhile; nothing most of the time. */
export function escapeNotice(shell: Shell, world: World): string {
	return isArmed(shell, world.now) && workingSession(world) !== null ? 'Press Esc again to interrupt the agent.' : '';
}

function escaped({ shell, wishes }: Pressed, escapedAt: number | null): Pressed {
	return { shell: shell.escapedAt === escapedAt ? shell : { ...shell, escapedAt }, wishes };
}

function isArmed({ escapedAt }: Shell, now: number): boolean {
	return escapedAt !== null && now - escapedAt <= TWICE_MS;
}

function workingSession({ open, driving }: World) {
	return open && driving?.takesPrompts && open.view.state.openRun !== undefined ? open.id : null;
}
