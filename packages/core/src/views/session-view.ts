// A session as a screen needs it, folded from its feed one event at a time, in place, at a constant cost per event.
import { assertNever } from '@roost/protocol/assert-never';
import type { TokenUsage } from '@roost/protocol/feed/conversation';
import type { FeedEvent, FeedEventOf } from '@roost/protocol/feed/event';
import type { SessionId } from '@roost/protocol/ids';
import type { Drive, NativeId, SessionRow } from '@roost/protocol/session-row';
import { isTransient } from '../feed/filter.ts';
import { acknowledgePrompt, createPrompts, foldPrompt, type Prompts } from '../session/prompts.ts';
import { zeroUsage } from '../usage/tally.ts';
import { type Actors, countToolOf, createActors, startRoot, startSubagent, stopAll, stopRoot, stopSubagent } from './actors.ts';
import { MAX_NATIVE_IDS } from './bounds.ts';
import { type Connection, createConnection, noteRuntimeError, noteRuntimeStatus } from './connection.ts';
import { closeAllAsks, closeAsk, closeAsksOfRun, createOpenAsks, findAsk, type OpenAsks, openAsk } from './open-asks.ts';
import {
	closeDialogs,
	createOwnDialogs,
	noteCallOver,
	noteDecision,
	noteNotice,
	noteRequest,
	type OwnDialogs,
} from './own-dialogs.ts';
import { beginRun, beginSession, createRunState, endRun, endSession, type RunState, settleStatus } from './run-state.ts';
import { countInRun, createRuns, finishRun, type Runs, startRun } from './runs.ts';
import {
	createSummary,
	noteEvent,
	noteMessage,
	noteModel,
	notePrompt,
	noteSessionEnd,
	noteSessionStart,
	type SessionSummary,
} from './summary.ts';
import { addTodo, createTodos, finishTodo, type Todos, updateTodo } from './todos.ts';
import { beginCall, countCall, createToolStatistics, endCall, pauseCall, type ToolStatistics } from './tool-statistics.ts';

/** Plain data that may be cloned; bounded however long the session is (see bounds.ts). */
export type SessionView = {
	sessionId: SessionId;
	state: RunState;
	summary: SessionSummary;
	runs: Runs;
	actors: Actors;
	asks: OpenAsks;
	dialogs: OwnDialogs;
	todos: Todos;
	usage: SessionUsage;
	tools: ToolStatistics;
	nativeIds: NativeId[];
	connection: Connection;
	/** Prompts on their way to its agent. */
	prompts: Prompts;
	drive?: Drive;
	gate?: SessionRow['gate'];
	archived: boolean;
};

export function createSessionView(sessionId: SessionId): SessionView {
	return {
		sessionId,
		state: createRunState(),
		summary: createSummary(),
		runs: createRuns(),
		actors: createActors(),
		asks: createOpenAsks(),
		dialogs: createOwnDialogs(),
		todos: createTodos(),
		usage: createSessionUsage(),
		tools: createToolStatistics(),
		nativeIds: [],
		connection: createConnection(),
		prompts: createPrompts(),
		archived: false,
	};
}

export function foldSessionView(view: SessionView, event: FeedEvent): void {
	// What is never stored must leave no trace, or a replayed view would differ from a live one.
	if (isTransient(event)) return;
	noteEvent(view.summary, event);
	foldParts(view, event);
	settleStatus(view.state, view.asks.byId.size + view.dialogs.open.size, event.ts);
}

function foldParts(view: SessionView, event: FeedEvent): void {
	switch (event.kind) {
		case 'session.start':
			beginSession(view.state);
			view.gate = event.data.gate;
			noteSessionStart(view.summary, event);
			break;
		case 'session.end':
			foldSessionEnd(view, event);
			break;
		case 'session.native':
			noteNativeId(view.nativeIds, event);
			break;
		case 'run.start':
			foldRunStart(view, event);
			break;
		case 'run.end':
			foldRunEnd(view, event);
			break;
		case 'user.prompt':
			notePrompt(view.summary, event);
			acknowledgePrompt(view.prompts, event);
			break;
		case 'prompt.update':
			foldPrompt(view.prompts, event);
			break;
		case 'session.drive':
			view.drive = event.data;
			break;
		case 'session.renamed':
			view.summary.title = event.data.title;
			break;
		case 'session.archived':
			view.archived = event.data.archived;
			break;
		case 'agent.message':
			noteMessage(view.summary, event);
			break;
		case 'model.switch.post':
			noteModel(view.summary, event.data.to_model);
			break;
		case 'cwd.change':
			view.summary.cwd = event.data.new_cwd;
			break;
		case 'usage.update':
			view.usage = toSessionUsage(event);
			break;
		case 'tool.pre':
			noteCall(view, event);
			beginCall(view.tools, event);
			break;
		case 'tool.post':
			foldToolEnd(view, event);
			break;
		case 'tool.failure':
			foldToolEnd(view, event);
			noteFailure(view, event);
			break;
		case 'permission.request':
			countInRun(view.runs, event.run_id, 'permission_requests');
			foldRequest(view, event);
			break;
		case 'question.request':
			foldRequest(view, event);
			break;
		case 'permission.decision':
			if (event.data.decision_type === 'deny') countInRun(view.runs, event.run_id, 'blocks');
			foldDecision(view, event);
			break;
		case 'question.answer':
			foldDecision(view, event);
			break;
		case 'permission.denied':
			noteCallOver(view.dialogs, event);
			break;
		case 'tool.batch':
			closeDialogs(view.dialogs);
			break;
		case 'notification':
			noteNotice(view.dialogs, event, view.asks.byId.size);
			break;
		case 'stop.decision':
			if (event.data.decision_type === 'block') countInRun(view.runs, event.run_id, 'blocks');
			break;
		case 'subagent.start':
			startSubagent(view.actors, event);
			break;
		case 'subagent.stop':
			stopSubagent(view.actors, event);
			break;
		case 'todo.add':
			addTodo(view.todos, event);
			break;
		case 'todo.update':
			updateTodo(view.todos, event);
			break;
		case 'todo.done':
			finishTodo(view.todos, event);
			break;
		case 'runtime.status':
			noteRuntimeStatus(view.connection, event);
			break;
		case 'runtime.error':
			noteRuntimeError(view.connection, event);
			break;
		case 'agent.delta':
		case 'tool.delta':
		case 'message.display':
		case 'session.summary':
		case 'prompt.expansion':
		case 'stop.request':
		case 'stop.failure':
		case 'elicitation.request':
		case 'elicitation.result':
		case 'teammate.idle':
		case 'task.created':
		case 'task.completed':
		case 'setup':
		case 'compact.pre':
		case 'compact.post':
		case 'model.switch.pre':
		case 'config.change':
		case 'worktree.create':
		case 'worktree.remove':
		case 'instructions.loaded':
		case 'file.change':
		case 'directory.add':
		case 'terminal.open':
		case 'terminal.close':
		case 'rule.added':
		case 'rule.removed':
		case 'mcp.trusted':
		case 'mcp.untrusted':
		case 'device.registered':
		case 'device.revoked':
		case 'unknown.hook':
			break;
		default:
			assertNever(event);
	}
}

function foldSessionEnd(view: SessionView, event: FeedEventOf<'session.end'>): void {
	endSession(view.state);
	noteSessionEnd(view.summary, event);
	closeAllAsks(view.asks);
	closeDialogs(view.dialogs);
	stopAll(view.actors, event.ts);
}

function foldRunStart(view: SessionView, event: FeedEventOf<'run.start'>): void {
	beginRun(view.state, event);
	closeDialogs(view.dialogs);
	startRun(view.runs, event);
	startRoot(view.actors, event.ts);
}

function foldRunEnd(view: SessionView, event: FeedEventOf<'run.end'>): void {
	endRun(view.state, event);
	finishRun(view.runs, event);
	closeAsksOfRun(view.asks, event.run_id);
	closeDialogs(view.dialogs);
	if (view.state.openRun === undefined) stopRoot(view.actors, event.ts);
}

type ToolEvent = FeedEventOf<'tool.pre' | 'tool.post' | 'tool.failure'>;

/** A call whose beginning was missed counts when it ends. */
function foldToolEnd(view: SessionView, event: FeedEventOf<'tool.post' | 'tool.failure'>): void {
	if (!endCall(view.tools, event)) noteCall(view, event);
	noteCallOver(view.dialogs, event);
}

function foldRequest(view: SessionView, event: FeedEventOf<'permission.request'> | FeedEventOf<'question.request'>): void {
	openAsk(view.asks, event);
	noteRequest(view.dialogs, event);
}

function foldDecision(view: SessionView, event: FeedEventOf<'permission.decision'> | FeedEventOf<'question.answer'>): void {
	const ask = findAsk(view.asks, event);
	noteDecision(view.dialogs, event, ask);
	if (ask) pauseCall(view.tools, ask.toolUseId ?? ask.callEventId, event.ts - ask.openedAt);
	closeAsk(view.asks, event);
}

function noteCall(view: SessionView, event: ToolEvent): void {
	view.summary.toolCalls += 1;
	countCall(view.tools, event.data.tool_name);
	countInRun(view.runs, event.run_id, 'tool_uses');
	countToolOf(view.actors, event.actor_id, event.ts, 'toolCalls');
}

function noteFailure(view: SessionView, event: ToolEvent): void {
	view.summary.toolFailures += 1;
	countInRun(view.runs, event.run_id, 'tool_failures');
	countToolOf(view.actors, event.actor_id, event.ts, 'toolFailures');
}

/** The ids the agent itself gave the session, each with when and why it was first seen. */
export function noteNativeId(nativeIds: NativeId[], event: FeedEventOf<'session.native'>): void {
	const { native_id: id, reason } = event.data;
	if (id === '' || nativeIds.some((known) => known.id === id)) return;
	nativeIds.push({ id, reason, since: event.ts });
	if (nativeIds.length > MAX_NATIVE_IDS) nativeIds.splice(1, 1);
}

export type SessionUsage = {
	total: TokenUsage;
	byModel: Readonly<Record<string, TokenUsage>>;
	costUsdEstimate?: number;
	pricesAsOf?: string;
};

/** What the session used so far, as last reported. */
export function createSessionUsage(): SessionUsage {
	return { total: zeroUsage(), byModel: {} };
}

/** Reports are totals: the last one stands for all before it. */
export function toSessionUsage(event: FeedEventOf<'usage.update'>): SessionUsage {
	const { total, by_model: byModel, cost_usd_estimate: costUsdEstimate, prices_as_of: pricesAsOf } = event.data;
	return { total, byModel, costUsdEstimate, pricesAsOf };
}
