// Lists that the runner does not tell of by itself are read again while somebody looks at them.
import type { ViewName } from '../pane.ts';
import type { Wish } from '../wish.ts';
import type { World } from '../world.ts';

const LISTS: ReadonlySet<ViewName> = new Set(['sessions', 'rules']);
const FRESH_MS = 3_000;

/** Also while there is no session to look at: the first one is opened when it comes. */
export function keepFresh(view: ViewName, { open, connection, now, readAt }: World): readonly Wish[] {
	const looked = open === null || LISTS.has(view);
	return looked && connection.state === 'live' && now - readAt >= FRESH_MS ? [{ type: 'refresh-sessions' }] : [];
}
