// The actors of a session: the user, the root agent, and subagents below the actor that started them.
import type { FeedEventOf } from '@roost/protocol/feed/event';
import type { ActorId } from '@roost/protocol/ids';
import { isSubagent, ROOT_AGENT, toSubagentActor, USER } from '../feed/entities.ts';
import { MAX_ACTORS } from './bounds.ts';

export type ActorView = {
	actorId: ActorId;
	kind: 'user' | 'agent' | 'subagent';
	agentType?: string;
	parentId?: ActorId;
	running: boolean;
	startedAt?: number;
	stoppedAt?: number;
	toolCalls: number;
	toolFailures: number;
};

export type Actors = {
	/** At most MAX_ACTORS, in order of appearance; the user and the root agent are always there. */
	byId: Map<ActorId, ActorView>;
	/** Stopped subagents, oldest first: the first to be forgotten. */
	stopped: Set<ActorId>;
};

export type ActorNode = { actor: ActorView; children: ActorNode[] };

export function createActors(): Actors {
	const user: ActorView = { actorId: USER, kind: 'user', running: true, toolCalls: 0, toolFailures: 0 };
	const root: ActorView = { actorId: ROOT_AGENT, kind: 'agent', running: false, toolCalls: 0, toolFailures: 0 };
	const byId = new Map([user, root].map((actor) => [actor.actorId, actor]));
	return { byId, stopped: new Set() };
}

export function setRootRunning(actors: Actors, running: boolean, ts: number): void {
	setRunning(actors, ROOT_AGENT, running, ts);
}

/** The agent's process is gone, and its subagents with it. */
export function stopAll(actors: Actors, ts: number): void {
	for (const actor of actors.byId.values()) {
		if (actor.kind !== 'user') setRunning(actors, actor.actorId, false, ts);
	}
}

export function startSubagent(actors: Actors, event: FeedEventOf<'subagent.start'>): void {
	const id = toSubagentActor(event.data.agent_id);
	const subagent = actors.byId.get(id) ?? register(actors, id, event.actor_id);
	if (event.data.agent_type !== '') subagent.agentType = event.data.agent_type;
	setRunning(actors, id, true, event.ts);
}

/** A stop without a start has no effect: agents report some for internal work. */
export function stopSubagent(actors: Actors, event: FeedEventOf<'subagent.stop'>): void {
	setRunning(actors, toSubagentActor(event.data.agent_id), false, event.ts);
}

export function countToolOf(actors: Actors, id: ActorId, ts: number, counter: 'toolCalls' | 'toolFailures'): void {
	const known = actors.byId.get(id);
	if (known !== undefined) {
		known[counter] += 1;
	} else if (isSubagent(id)) {
		// Its start was missed.
		register(actors, id, ROOT_AGENT)[counter] = 1;
		setRunning(actors, id, true, ts);
	}
}

/** The user and the root agent at the top; a subagent whose parent was forgotten is below the root agent. */
export function toActorTree(actors: Actors): ActorNode[] {
	const nodes = new Map<ActorId, ActorNode>();
	for (const actor of actors.byId.values()) nodes.set(actor.actorId, { actor, children: [] });
	const tops: ActorNode[] = [];
	for (const node of nodes.values()) {
		if (node.actor.kind !== 'subagent') {
			tops.push(node);
			continue;
		}
		const parent = nodes.get(node.actor.parentId ?? ROOT_AGENT) ?? nodes.get(ROOT_AGENT);
		parent?.children.push(node);
	}
	return tops;
}

/** Parents are known before their children, so the tree has no cycles. */
function register(actors: Actors, id: ActorId, startedBy: ActorId): ActorView {
	const starter = actors.byId.get(startedBy);
	const parentId = starter?.kind === 'subagent' ? startedBy : ROOT_AGENT;
	const actor: ActorView = { actorId: id, kind: 'subagent', parentId, running: false, toolCalls: 0, toolFailures: 0 };
	if (actors.byId.size >= MAX_ACTORS) forgetOne(actors);
	actors.byId.set(id, actor);
	return actor;
}

function forgetOne(actors: Actors): void {
	const longestStopped = actors.stopped.values().next().value;
	const victim = longestStopped ?? actors.byId.values().find((actor) => actor.kind === 'subagent')?.actorId;
	if (victim === undefined) return;
	actors.byId.delete(victim);
	actors.stopped.delete(victim);
}

function setRunning(actors: Actors, id: ActorId, running: boolean, ts: number): void {
	const actor = actors.byId.get(id);
	if (actor === undefined || actor.running === running) return;
	actor.running = running;
	if (running) {
		actor.startedAt = ts;
		delete actor.stoppedAt;
		actors.stopped.delete(id);
	} else {
		actor.stoppedAt = ts;
		if (actor.kind === 'subagent') actors.stopped.add(id);
	}
}
