// Lists that the runner does not tell of by itself are read again while somebody looks at them.

import type { World } from '@roost/client/world/world';
import type { ViewName } from '../pane.ts';
import type { Wish } from '../wish.ts';

const LISTS: ReadonlySet<ViewName> = new Set(['sessions', 'past', 'rules']);
const FRESH_MS = 3_000;
/** Whole transcripts are read for these. */
const PAST_FRESH_MS = 15_000;

/** Also while there is no session to look at: the first one is opened when it comes. */
export function keepFresh(view: ViewName, { open, connection, now, readAt, past }: World): readonly Wish[] {
	if (connection.state !== 'live') return [];
	const looked = open === null || LISTS.has(view);
	const isPastOld = past === null || (!past.looking && now - past.readAt >= PAST_FRESH_MS);
	return [
		...(looked && now - readAt >= FRESH_MS ? [{ type: 'refresh-sessions' } as const] : []),
		...(view === 'past' && isPastOld ? [{ type: 'read-past' } as const] : []),
	];
}
