// Text that agents are writing, by actor: it grows with deltas, and ends when the whole message is stored.
import type { FeedEvent } from '@roost/protocol/feed/event';

export type StreamingText = {
	/** Changes in place. */
	readonly byActor: ReadonlyMap<string, string>;
	/** False if the event has no text. */
	takeDelta(event: FeedEvent): boolean;
	takeStored(event: FeedEvent): void;
};

export function createStreamingText(): StreamingText {
	const byActor = new Map<string, string>();
	return {
		byActor,
		takeDelta(event) {
			const piece = pieceOf(event);
			if (piece !== undefined) byActor.set(event.actor_id, (byActor.get(event.actor_id) ?? '') + piece);
			return piece !== undefined;
		},
		takeStored({ kind, actor_id }) {
			if (kind === 'agent.message') byActor.delete(actor_id);
			// An interrupted message is never completed.
			if (kind === 'run.end' || kind === 'session.end') byActor.clear();
		},
	};
}

/** Agents stream text in one of two ways. */
function pieceOf(event: FeedEvent): string | undefined {
	if (event.kind === 'agent.delta') return event.data.text;
	return event.kind === 'message.display' ? event.data.delta : undefined;
}
