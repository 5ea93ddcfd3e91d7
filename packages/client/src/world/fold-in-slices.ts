// A long record folded into a view without keeping keys waiting.
import { createSessionView, foldSessionView, type SessionView } from '@roost/core/views/session-view';
import type { FeedEvent } from '@roost/protocol/feed/event';
import type { SessionId } from '@roost/protocol/ids';
import type { Pause } from './pause.ts';

const SLICE = 2_000;

/** The last list may grow meanwhile: what is in it when this comes back has been folded. */
export async function foldInSlices(
	id: SessionId,
	lists: readonly (readonly FeedEvent[])[],
	{ isOver, pause }: { isOver: () => boolean; pause: Pause },
): Promise<SessionView> {
	const view = createSessionView(id);
	let folded = 0;
	for (const list of lists) {
		for (const event of list) {
			foldSessionView(view, event);
			folded += 1;
			if (folded % SLICE === 0) await pause(0);
			if (isOver()) return view;
		}
	}
	return view;
}
