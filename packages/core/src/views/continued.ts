// The conversation that a session continues: one that it was forked or resumed from, on record or only in the agent's own files.
import type { FeedRow } from '@roost/protocol/api/feed-rows';
import type { FeedEvent } from '@roost/protocol/feed/event';
import type { SessionId } from '@roost/protocol/ids';
import type { SessionRow } from '@roost/protocol/session-row';

export type Continued =
	| { readonly how: 'forked' | 'resumed'; readonly parentId: SessionId }
	/** By the agent's own id: it is not on record in Roost. */
	| { readonly how: 'resumed'; readonly nativeId: string };

/** A limit for forks of forks. */
export const MOST_PARENTS = 20;

/** Null for a new conversation. */
export function continuedBy({ parentId, nativeIds, drive }: SessionRow): Continued | null {
	const [first] = nativeIds;
	const how = drive?.copy_of || first?.reason === 'fork' ? 'forked' : 'resumed';
	if (parentId) return { how, parentId };
	return first?.reason === 'resume' ? { how: 'resumed', nativeId: first.id } : null;
}

/** Whether a forked session ends its parent's events with this one. Where no message is named, only times are compared. */
export function isLastOf({ drive }: SessionRow, event: FeedEvent | FeedRow): boolean {
	const upTo = drive?.copy_of?.up_to;
	return upTo !== undefined && nativeIdOf(event) === upTo;
}

function nativeIdOf(event: FeedEvent | FeedRow): string | undefined {
	if (!('data' in event)) return event.native_id;
	return event.kind === 'agent.message' ? event.data.native_id : undefined;
}

export function isBefore({ startedAt }: SessionRow, { ts }: Pick<FeedEvent, 'ts'>): boolean {
	return ts <= startedAt;
}
