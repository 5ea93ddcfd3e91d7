// Whose an entry is: how deep it stands under the root agent, and what its actor is called.

import type { FeedEvent } from '@roost/protocol/feed/event';
import type { ActorId } from '@roost/protocol/ids';
import { isSubagent, ROOT_AGENT } from '../feed/entities.ts';
import type { Actors } from './actors.ts';

/** What the system reports for somebody stands with that somebody. */
export function actorOf(event: FeedEvent): ActorId {
	return event.kind === 'permission.request' && event.data.requested_by ? event.data.requested_by : event.actor_id;
}

/** Deeper than this, lines would have no room left. */
const DEEPEST = 4;

export function depthOf(id: ActorId, actors: Actors): number {
	let depth = 0;
	for (let at: ActorId | undefined = id; at && isSubagent(at) && depth < DEEPEST; at = actors.byId.get(at)?.parentId) depth += 1;
	return depth;
}

const LONGEST_ID = 6;

/** Of a subagent: its type, and enough of its id to tell it from others of that type. */
export function actorName(id: ActorId, actors: Actors): string {
	if (!isSubagent(id)) return id === ROOT_AGENT ? 'agent' : id;
	const own = id.slice(id.indexOf(':') + 1, id.indexOf(':') + 1 + LONGEST_ID);
	const type = actors.byId.get(id)?.agentType;
	return type ? `${type} ${own}` : own;
}
