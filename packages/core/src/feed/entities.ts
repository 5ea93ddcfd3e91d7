// The session, its runs and its actors.
import type { FeedData } from '@roost/protocol/feed/event';
import type { RunCounters, RunTrigger } from '@roost/protocol/feed/session';
import type { ActorId, RunId, SessionId } from '@roost/protocol/ids';

export type Session = {
	session_id: SessionId;
	started_at: number;
	ended_at?: number;
	source?: FeedData<'session.start'>['source'];
	model?: string;
	agent_type?: string;
};

export type Run = {
	run_id: RunId;
	session_id: SessionId;
	started_at: number;
	trigger: RunTrigger;
	/** `blocked`: an ask is open. A run that ended is no longer current. */
	status: 'running' | 'blocked';
	actors: { root_agent_id: ActorId; subagent_ids: ActorId[] };
	counters: RunCounters;
};

export type Actor = {
	actor_id: ActorId;
	kind: 'user' | 'agent' | 'subagent' | 'system';
	display_name: string;
	agent_type?: string;
	parent_actor_id?: ActorId;
};

export const USER = 'user' as ActorId;
export const SYSTEM = 'system' as ActorId;
export const ROOT_AGENT = 'agent:root' as ActorId;

const SUBAGENT = 'subagent:';

export function toSubagentActor(agentId: string): ActorId {
	return `${SUBAGENT}${agentId}` as ActorId;
}

export function isSubagent(actorId: ActorId): boolean {
	return actorId.startsWith(SUBAGENT);
}
