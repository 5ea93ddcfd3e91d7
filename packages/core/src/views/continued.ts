// The conversation that a session continues: one that it was forked or resumed from, on record or only in the agent's own files.
import type { FeedEvent } from '@roost/protocol/feed/event';
import type { SessionId } from '@roost/protocol/ids';
import type { SessionRow } from '@roost/protocol/session-row';

export type Continued =
	| { readonly how: 'forked' | 'resumed'; readonly parentId: SessionId }
	/** By the agent's own id: Roost has no session of it. */
	| { readonly how: 'resumed'; readonly nativeId: string };

/** Null where it began with nothing before it. */
export function continuedBy({ parentId, nativeIds, drive }: SessionRow): Continued | null {
	const [first] = nativeIds;
	const how = drive?.copy_of || first?.reason === 'fork' ? 'forked' : 'resumed';
	if (parentId) return { how, parentId };
	return first?.reason === 'resume' ? { how: 'resumed', nativeId: first.id } : null;
}

/** The last of its parent's events that such a session has, or none after it. Times alone tell where no message is named. */
export function isLastOf({ drive }: SessionRow, event: FeedEvent): boolean {
	const upTo = drive?.copy_of?.up_to;
	return upTo !== undefined && event.kind === 'agent.message' && event.data.native_id === upTo;
}

export function isBefore({ startedAt }: SessionRow, { ts }: FeedEvent): boolean {
	return ts <= startedAt;
}
