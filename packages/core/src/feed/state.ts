// The state of the mapper between two reports. It changes only by folding events, so a replayed feed gives the same state.
import type { FeedEvent, FeedEventKind, FeedEventOf } from '@roost/protocol/feed/event';
import type { RunCounters, RunTrigger } from '@roost/protocol/feed/session';
import type { ActorId, RunId, SessionId } from '@roost/protocol/ids';
import { type CallBook, callKey, closeCall, createCallBook, findSpawningCall, openCall } from './call-book.ts';
import { type Actor, isSubagent, ROOT_AGENT, type Session, SYSTEM, toSubagentActor, USER } from './entities.ts';
import { isTransient } from './filter.ts';
import { createMessageBook, foldDelta, foldFinal, foldMessage, forgetMessages, type MessageBook } from './message-book.ts';
import { dropAnswered, dropStale, foldRequest, type OpenRequests } from './open-requests.ts';
import { createTodoBook, foldTodo, foldTodoList, forgetDone, TODO_LIST_TOOL, type TodoBook } from './todo-book.ts';

export type FeedState = {
	readonly sessionId: SessionId;
	session: Session | null;
	run: OpenRun | null;
	/** How many runs there were. */
	runs: number;
	/** The last seq given outside any run. */
	lifecycleSeq: number;
	readonly actors: Map<ActorId, Actor>;
	readonly calls: CallBook;
	readonly requests: OpenRequests;
	readonly todos: TodoBook;
	readonly messages: MessageBook;
	/** Transient events so far. It is never replayed, and nothing stored depends on it. */
	transients: number;
};

type OpenRun = {
	run_id: RunId;
	started_at: number;
	trigger: RunTrigger;
	seq: number;
	counters: RunCounters;
	subagents: Set<ActorId>;
	/** The root agent stopped, but background tasks still run. */
	inBackground: boolean;
};

export function createFeedState(sessionId: SessionId): FeedState {
	return {
		sessionId,
		session: null,
		run: null,
		runs: 0,
		lifecycleSeq: 0,
		actors: new Map([
			[USER, { actor_id: USER, kind: 'user', display_name: 'You' }],
			[ROOT_AGENT, { actor_id: ROOT_AGENT, kind: 'agent', display_name: 'Agent' }],
			[SYSTEM, { actor_id: SYSTEM, kind: 'system', display_name: 'System' }],
		]),
		calls: createCallBook(),
		requests: new Map(),
		todos: createTodoBook(),
		messages: createMessageBook(),
		transients: 0,
	};
}

/** Folds one event, in place. A transient event adds only to the message it belongs to. */
export function evolveFeed(state: FeedState, event: FeedEvent): void {
	if (isTransient(event)) {
		state.transients += 1;
		if (event.kind === 'message.display') foldDelta(state.messages, event);
		return;
	}
	state.session ??= { session_id: state.sessionId, started_at: event.ts };
	if (event.kind === 'run.start') openRun(state, event);
	else if (state.run?.run_id === event.run_id) state.run.seq = event.seq;
	else state.lifecycleSeq = event.seq;
	if (isSubagent(event.actor_id)) knownSubagent(state, event.actor_id);
	foldKind(state, event.kind, event);
}

type ByKind = { [K in FeedEventKind]: FeedEventOf<K> };
type Folds = { [K in FeedEventKind]?: (state: FeedState, event: ByKind[K]) => void };

function foldKind<K extends FeedEventKind>(state: FeedState, kind: K, event: ByKind[K]): void {
	folds[kind]?.(state, event);
}

/** Kinds that are not here change nothing that a later event needs. */
const folds: Folds = {
	'session.start': (state, { data, ts }) => {
		const started_at = state.session?.started_at ?? ts;
		const model = data.model ?? state.session?.model;
		state.session = { session_id: state.sessionId, started_at, source: data.source, model, agent_type: data.agent_type };
	},
	'session.end': (state, { ts }) => {
		if (state.session) state.session.ended_at = ts;
	},
	'model.switch.post': (state, { data }) => {
		if (state.session && data.to_model) state.session.model = data.to_model;
	},
	'run.end': (state) => closeRun(state),
	'tool.pre': (state, event) => announceCall(state, event),
	'tool.post': (state, event) => {
		endCall(state, event);
		if (event.data.tool_name === TODO_LIST_TOOL) foldTodoList(state.todos, event);
	},
	'tool.failure': (state, event) => {
		endCall(state, event);
		count(state, 'tool_failures');
	},
	'permission.request': (state, event) => {
		request(state, event, 'permission');
		count(state, 'permission_requests');
	},
	'question.request': (state, event) => request(state, event, 'question'),
	'stop.request': (state, event) => {
		foldRequest(state.requests, event, { kind: 'stop' });
		if (state.run && event.data.scope === 'root') state.run.inBackground = (event.data.background_tasks ?? 0) > 0;
	},
	'permission.decision': (state, event) => {
		dropAnswered(state.requests, event);
		if (event.data.decision_type === 'deny') count(state, 'blocks');
	},
	'question.answer': (state, event) => dropAnswered(state.requests, event),
	'stop.decision': (state, event) => {
		dropAnswered(state.requests, event);
		if (event.data.decision_type === 'block') count(state, 'blocks');
	},
	'subagent.start': (state, { data, actor_id }) => {
		const actor = knownSubagent(state, toSubagentActor(data.agent_id), actor_id);
		nameSubagent(actor, data.agent_type);
	},
	'subagent.stop': (state, event) => {
		foldRequest(state.requests, event, { kind: 'stop' });
		nameSubagent(knownSubagent(state, event.actor_id), event.data.agent_type);
	},
	'agent.message': (state, event) => {
		foldMessage(state.messages, event);
		state.calls.unannounced.delete(event.actor_id);
	},
	'tool.batch': (state, { actor_id }) => void state.calls.unannounced.delete(actor_id),
	'message.display': (state, event) => foldFinal(state.messages, event),
	'todo.add': (state, event) => foldTodo(state.todos, event),
	'todo.update': (state, event) => foldTodo(state.todos, event),
	'todo.done': (state, event) => foldTodo(state.todos, event),
};

function openRun(state: FeedState, { run_id, ts, seq, data }: FeedEventOf<'run.start'>): void {
	const counters = { tool_uses: 0, tool_failures: 0, permission_requests: 0, blocks: 0 };
	state.runs += 1;
	state.run = { run_id, started_at: ts, trigger: data.trigger, seq, counters, subagents: new Set(), inBackground: false };
	dropStale(state.requests);
	state.calls.unannounced.clear();
	forgetMessages(state.messages);
	forgetDone(state.todos);
}

/** Calls of subagents in the background outlive the run that started them; all others are over. */
function closeRun(state: FeedState): void {
	const inBackground = state.run?.inBackground ?? false;
	for (const call of state.calls.open.values()) {
		if (!inBackground || !isSubagent(call.actorId)) state.calls.open.delete(call.key);
	}
	state.run = null;
}

function announceCall(state: FeedState, event: FeedEventOf<'tool.pre'>): void {
	const { data, event_id: eventId, actor_id: actorId, cause } = event;
	openCall(state.calls, {
		key: callKey(data.tool_use_id, eventId),
		eventId,
		toolUseId: data.tool_use_id,
		actorId,
		tool: data.tool_name,
		input: data.tool_input,
		requested: false,
		claimed: false,
		requestIds: cause?.hook_request_id === undefined ? [] : [cause.hook_request_id],
	});
	foldRequest(state.requests, event, { kind: 'permission' });
	if (state.run && actorId === ROOT_AGENT) state.run.inBackground = false;
	count(state, 'tool_uses');
}

/** A call whose announcement was missed counts when it ends. */
function endCall(state: FeedState, { cause }: FeedEventOf<'tool.post' | 'tool.failure'>): void {
	const call = closeCall(state.calls, callKey(cause?.tool_use_id, cause?.parent_event_id));
	if (!call) count(state, 'tool_uses');
	for (const id of call?.requestIds ?? []) {
		// A request with an ask is settled after its call has ended.
		if (state.requests.get(id)?.askId === undefined) state.requests.delete(id);
	}
}

function request(
	state: FeedState,
	event: FeedEventOf<'permission.request' | 'question.request'>,
	kind: 'permission' | 'question',
) {
	const call = state.calls.open.get(callKey(event.cause?.tool_use_id, event.cause?.parent_event_id));
	foldRequest(state.requests, event, { kind, askId: event.data.ask_id });
	if (!call) return;
	call.requested = true;
	if (event.cause?.hook_request_id !== undefined) call.requestIds.push(event.cause.hook_request_id);
}

/** A new subagent belongs to the actor whose open call must have started it. */
function knownSubagent(state: FeedState, id: ActorId, startedBy?: ActorId): Actor {
	state.run?.subagents.add(id);
	const known = state.actors.get(id);
	if (known) return known;
	const call = findSpawningCall(state.calls);
	if (call) call.claimed = true;
	const parent = startedBy ?? call?.actorId ?? ROOT_AGENT;
	const actor: Actor = { actor_id: id, kind: 'subagent', display_name: 'Subagent', parent_actor_id: parent };
	state.actors.set(id, actor);
	return actor;
}

function nameSubagent(actor: Actor, agentType: string): void {
	if (agentType === '') return;
	actor.agent_type = agentType;
	actor.display_name = agentType;
}

function count(state: FeedState, counter: keyof RunCounters): void {
	if (state.run) state.run.counters[counter] += 1;
}
