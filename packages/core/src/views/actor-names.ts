// The actor of an entry: its name, and its depth below the root agent.
import type { FeedEvent } from '@roost/protocol/feed/event';
import type { ActorId } from '@roost/protocol/ids';
import { isSubagent, ROOT_AGENT } from '../feed/entities.ts';
import type { Actors } from './actors.ts';

/** A permission request belongs to the actor that made it, although the system reports it. */
export function actorOf(event: FeedEvent): ActorId {
	return event.kind === 'permission.request' && event.data.requested_by ? event.data.requested_by : event.actor_id;
}

/** Deeper indentation would leave no room for text. */
const DEEPEST = 4;

export function depthOf(id: ActorId, actors: Actors): number {
	let depth = 0;
	for (let at: ActorId | undefined = id; at && isSubagent(at) && depth < DEEPEST; at = actors.byId.get(at)?.parentId) depth += 1;
	return depth;
}

const LONGEST_ID = 6;

/** A subagent's type, and enough of its id to distinguish it from others of that type. */
export function actorName(id: ActorId, actors: Actors): string {
	if (!isSubagent(id)) return id === ROOT_AGENT ? 'agent' : id;
	const own = id.slice(id.indexOf(':') + 1, id.indexOf(':') + 1 + LONGEST_ID);
	const type = actors.byId.get(id)?.agentType;
	return type ? `${type} ${own}` : own;
}
