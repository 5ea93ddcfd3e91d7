// The feed mapper: from the reports of agents to the events of the feed.
import type { FeedLevel } from '@roost/protocol/feed/base';
import type { FeedData, FeedEvent } from '@roost/protocol/feed/event';
import type { SessionId } from '@roost/protocol/ids';
import type { RuntimeDecision } from '../runtime/decision.ts';
import type { RuntimeEvent, UnreadEvent } from '../runtime/event.ts';
import { toDecisionDraft } from './decision-draft.ts';
import type { Draft, MapContext } from './draft.ts';
import { type Actor, ROOT_AGENT, type Run, type Session, SYSTEM, toSubagentActor } from './entities.ts';
import { isWork, toDrafts } from './hook-table.ts';
import { endRun, startRun } from './map-session.ts';
import { seal } from './seal.ts';
import { createFeedState, evolveFeed, type FeedState } from './state.ts';

/** What the caller adds to a report. */
type MapNotes = Pick<MapContext, 'ask' | 'gate'>;

/** At least one event for every report: an unreadable one is kept as `unknown.hook`. */
export function mapEvent(state: FeedState, event: RuntimeEvent, notes: MapNotes = {}): FeedEvent[] {
	const events: FeedEvent[] = [];
	const commit = (draft: Draft) => events.push(fold(state, seal(state, draft, event.timestamp, event.id)));

	if (event.unread !== undefined) {
		commit(unknownHook(event));
		return events;
	}
	if (isWork(event.hookName) && !state.run) commit(startRun({ type: 'other', request_id: event.id }));
	const context: MapContext = { state, event, actor: actorOf(event), ...notes };
	for (const draft of toDrafts(context, event)) commit(draft);
	return events;
}

/** Null where there is nothing to record: no opinion by no rule, an unknown request, or one that is decided already. */
export function mapDecision(state: FeedState, requestId: string, decision: RuntimeDecision, ts: number): FeedEvent | null {
	const request = state.requests.get(requestId);
	const draft = request && toDecisionDraft(request, decision);
	return draft ? fold(state, seal(state, draft, ts, requestId)) : null;
}

type FactKind =
	| `session.${'native' | 'end' | 'summary' | 'drive' | 'renamed' | 'archived'}`
	| `runtime.${'error' | 'status'}`
	| `terminal.${'open' | 'close'}`
	| `rule.${'added' | 'removed'}`
	| `mcp.${'trusted' | 'untrusted'}`
	| `device.${'registered' | 'revoked' | 'push'}`
	| ('notification' | 'usage.update' | 'prompt.update');

/** A fact that Roost itself reports about a session. */
export type Fact = { [K in FactKind]: { kind: K; data: FeedData<K>; level?: FeedLevel } }[FactKind];

export function mapFact(state: FeedState, fact: Fact, ts: number): FeedEvent {
	return fold(state, seal(state, { ...fact, actor_id: SYSTEM }, ts));
}

/** The agent exited without reporting it: its run is over. */
export function mapCut(state: FeedState, reason: string, ts: number): FeedEvent[] {
	return endRun(state, 'aborted', reason, { agent_gone: true }).map((draft) => fold(state, seal(state, draft, ts)));
}

/** The run was interrupted; the agent waits for the next prompt. */
export function mapInterrupt(state: FeedState, reason: string, ts: number): FeedEvent[] {
	return endRun(state, 'aborted', reason).map((draft) => fold(state, seal(state, draft, ts)));
}

type FeedMapper = {
	mapEvent(event: RuntimeEvent, notes?: MapNotes): FeedEvent[];
	mapDecision(eventId: string, decision: RuntimeDecision, ts: number): FeedEvent | null;
	getSession(): Session | null;
	getCurrentRun(): Run | null;
	getActors(): Actor[];
};

export function createFeedMapper(sessionId: SessionId): FeedMapper {
	const state = createFeedState(sessionId);
	return {
		mapEvent: (event, notes) => mapEvent(state, event, notes),
		mapDecision: (eventId, decision, ts) => mapDecision(state, eventId, decision, ts),
		getSession: () => state.session && { ...state.session },
		getCurrentRun: () => toRun(state),
		getActors: () => [...state.actors.values()].map((actor) => ({ ...actor })),
	};
}

function fold(state: FeedState, event: FeedEvent): FeedEvent {
	evolveFeed(state, event);
	return event;
}

function unknownHook(event: UnreadEvent): Draft {
	return {
		kind: 'unknown.hook',
		actor_id: SYSTEM,
		level: event.unread === 'malformed' ? 'warn' : 'info',
		data: { hook_event_name: event.hookName, payload: event.payload ?? null },
	};
}

function actorOf({ agentId, payload }: RuntimeEvent) {
	const id = agentId ?? (typeof payload === 'object' && payload !== null && 'agent_id' in payload ? payload.agent_id : undefined);
	return typeof id === 'string' && id !== '' ? toSubagentActor(id) : ROOT_AGENT;
}

function toRun({ run, requests, sessionId }: FeedState): Run | null {
	if (!run) return null;
	const isBlocked = requests.values().some((request) => request.askId !== undefined);
	return {
		run_id: run.run_id,
		session_id: sessionId,
		started_at: run.started_at,
		trigger: run.trigger,
		status: isBlocked ? 'blocked' : 'running',
		actors: { root_agent_id: ROOT_AGENT, subagent_ids: [...run.subagents] },
		counters: { ...run.counters },
	};
}
