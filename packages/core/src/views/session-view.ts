// A session as a screen needs it, folded from its feed one event at a time, in place, at a constant cost per event.
import type { TokenUsage } from '@roost/protocol/feed/conversation';
import type { FeedData, FeedEvent, FeedEventKind, FeedEventOf } from '@roost/protocol/feed/event';
import type { SessionId } from '@roost/protocol/ids';
import type { Drive, NativeId, SessionRow } from '@roost/protocol/session-row';
import { sanitiseLine } from '../display/sanitise.ts';
import { ROOT_AGENT } from '../feed/entities.ts';
import { isTransient, shouldExclude } from '../feed/filter.ts';
import { acknowledgePrompt, createPrompts, foldPrompt, type Prompts } from '../session/prompts.ts';
import { zeroUsage } from '../usage/tally.ts';
import { type Actors, countToolOf, createActors, setRootRunning, startSubagent, stopAll, stopSubagent } from './actors.ts';
import { MAX_NATIVE_IDS } from './bounds.ts';
import {
	type AskOutcome,
	type AskRequest,
	closeAllAsks,
	closeAsk,
	closeAsksOfRun,
	findAsk,
	type OpenAsks,
	openAsk,
} from './open-asks.ts';
import { closeDialogs, noteCallOver, noteDecision, noteNotice, noteRequest, type OwnDialogs } from './own-dialogs.ts';
import { createRuns, finishRun, type RunState, type Runs, settleStatus, startRun } from './runs.ts';
import { addTodo, finishTodo, type Todos, updateTodo } from './todos.ts';
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
	/** The ids the agent itself gave the session, each with when and why it was first seen. */
	nativeIds: NativeId[];
	connection: Connection;
	/** Prompts on their way to its agent. */
	prompts: Prompts;
	drive?: Drive;
	gate?: SessionRow['gate'];
	archived: boolean;
};

type SessionSummary = {
	/** The first line of the first prompt, or the name the user gave; empty before. */
	title: string;
	model?: string;
	cwd?: string;
	firstTs?: number;
	lastTs?: number;
	endedAt?: number;
	/** Stored events; transient ones are not counted. */
	events: number;
	toolCalls: number;
	toolFailures: number;
	lastShown?: NonNullable<SessionRow['lastEvent']>;
};

/** As last reported: each report is a total. */
type SessionUsage = {
	total: TokenUsage;
	byModel: Readonly<Record<string, TokenUsage>>;
	costUsdEstimate?: number | undefined;
	pricesAsOf?: string | undefined;
};

/** Whether Roost gets the agent's reports and can record them, as last reported. */
type Connection = { status: 'unknown' | FeedData<'runtime.status'>['status']; since?: number; reason?: string | undefined };

export function createSessionView(sessionId: SessionId): SessionView {
	return {
		sessionId,
		state: { status: 'idle', interrupted: false, ended: false },
		summary: { title: '', events: 0, toolCalls: 0, toolFailures: 0 },
		runs: createRuns(),
		actors: createActors(),
		asks: { byId: new Map(), idByEvent: new Map() },
		dialogs: { open: new Map(), expired: false },
		todos: { byKey: new Map(), lastKeyById: new Map() },
		usage: { total: zeroUsage(), byModel: {} },
		tools: createToolStatistics(),
		nativeIds: [],
		connection: { status: 'unknown' },
		prompts: createPrompts(),
		archived: false,
	};
}

export function foldSessionView(view: SessionView, event: FeedEvent): void {
	// Transient events are not stored: with them, a live view would differ from a replayed one.
	if (isTransient(event)) return;
	const { summary } = view;
	summary.events += 1;
	summary.firstTs = Math.min(summary.firstTs ?? event.ts, event.ts);
	summary.lastTs = Math.max(summary.lastTs ?? event.ts, event.ts);
	if (!shouldExclude(event)) summary.lastShown = { kind: event.kind, offset: summary.events, ts: event.ts };
	foldKind(view, event.kind, event);
	settleStatus(view.state, view.asks.byId.size + view.dialogs.open.size, event.ts);
}

type ByKind = { [K in FeedEventKind]: FeedEventOf<K> };

function foldKind<K extends FeedEventKind>(view: SessionView, kind: K, event: ByKind[K]): void {
	folds[kind]?.(view, event);
}

/** Null for kinds that no part of the view needs. */
const folds: { [K in FeedEventKind]: ((view: SessionView, event: ByKind[K]) => void) | null } = {
	'session.start': (view, { data }) => {
		view.state.ended = false;
		view.state.interrupted = false;
		view.gate = data.gate;
		delete view.summary.endedAt;
		noteModel(view, data.model);
	},
	'session.end': (view, { ts }) => {
		view.state.ended = true;
		delete view.state.openRun;
		view.summary.endedAt = ts;
		closeAllAsks(view.asks);
		closeDialogs(view.dialogs);
		stopAll(view.actors, ts);
	},
	'session.native': noteNativeId,
	'session.drive': (view, { data }) => {
		view.drive = data;
	},
	'session.renamed': (view, { data }) => {
		view.summary.title = data.title;
	},
	'session.archived': (view, { data }) => {
		view.archived = data.archived;
	},
	'run.start': (view, event) => {
		startRun(view.state, view.runs, event);
		closeDialogs(view.dialogs);
		setRootRunning(view.actors, true, event.ts);
	},
	'run.end': (view, event) => {
		finishRun(view.state, view.runs, event);
		closeAsksOfRun(view.asks, event.run_id);
		closeDialogs(view.dialogs);
		if (view.state.openRun === undefined) setRootRunning(view.actors, false, event.ts);
	},
	'user.prompt': (view, event) => {
		const { prompt, cwd } = event.data;
		if (view.summary.title === '') view.summary.title = toTitle(prompt);
		if (cwd !== '') view.summary.cwd = cwd;
		acknowledgePrompt(view.prompts, event);
	},
	'prompt.update': (view, event) => foldPrompt(view.prompts, event),
	// A subagent may run on another model; the session's is the root agent's.
	'agent.message': (view, { actor_id, data }) => noteModel(view, actor_id === ROOT_AGENT ? data.model : undefined),
	'model.switch.post': (view, { data }) => noteModel(view, data.to_model),
	'cwd.change': (view, { data }) => {
		view.summary.cwd = data.new_cwd;
	},
	'usage.update': (view, { data }) => {
		const { total, by_model: byModel, cost_usd_estimate: costUsdEstimate, prices_as_of: pricesAsOf } = data;
		view.usage = { total, byModel, costUsdEstimate, pricesAsOf };
	},
	'tool.pre': (view, event) => {
		noteCall(view, event);
		beginCall(view.tools, event);
	},
	'tool.post': foldToolEnd,
	'tool.failure': (view, event) => {
		foldToolEnd(view, event);
		view.summary.toolFailures += 1;
		countToolOf(view.actors, event.actor_id, event.ts, 'toolFailures');
	},
	'permission.request': foldRequest,
	'question.request': foldRequest,
	'permission.decision': foldDecision,
	'question.answer': foldDecision,
	'permission.denied': (view, event) => noteCallOver(view.dialogs, event),
	'tool.batch': (view) => closeDialogs(view.dialogs),
	notification: (view, event) => noteNotice(view.dialogs, event, view.asks.byId.size),
	'subagent.start': (view, event) => startSubagent(view.actors, event),
	'subagent.stop': (view, event) => stopSubagent(view.actors, event),
	'todo.add': (view, event) => addTodo(view.todos, event),
	'todo.update': (view, event) => updateTodo(view.todos, event),
	'todo.done': (view, event) => finishTodo(view.todos, event),
	'runtime.status': (view, { data, ts }) => {
		view.connection = { status: data.status, since: ts, reason: data.reason };
	},
	'agent.delta': null,
	'tool.delta': null,
	'message.display': null,
	'session.summary': null,
	'prompt.expansion': null,
	'stop.request': null,
	'stop.decision': null,
	'stop.failure': null,
	'elicitation.request': null,
	'elicitation.result': null,
	'teammate.idle': null,
	'task.created': null,
	'task.completed': null,
	setup: null,
	'compact.pre': null,
	'compact.post': null,
	'model.switch.pre': null,
	'config.change': null,
	'worktree.create': null,
	'worktree.remove': null,
	'instructions.loaded': null,
	'file.change': null,
	'directory.add': null,
	'runtime.error': null,
	'terminal.open': null,
	'terminal.close': null,
	'rule.added': null,
	'rule.removed': null,
	'mcp.trusted': null,
	'mcp.untrusted': null,
	'device.registered': null,
	'device.revoked': null,
	'device.push': null,
	'unknown.hook': null,
};

/** A call whose beginning was missed counts when it ends. */
function foldToolEnd(view: SessionView, event: FeedEventOf<'tool.post' | 'tool.failure'>): void {
	if (!endCall(view.tools, event)) noteCall(view, event);
	noteCallOver(view.dialogs, event);
}

function foldRequest(view: SessionView, event: AskRequest): void {
	openAsk(view.asks, event);
	noteRequest(view.dialogs, event);
}

function foldDecision(view: SessionView, event: AskOutcome): void {
	const ask = findAsk(view.asks, event);
	noteDecision(view.dialogs, event, ask);
	if (ask) pauseCall(view.tools, ask.toolUseId ?? ask.callEventId, event.ts - ask.openedAt);
	closeAsk(view.asks, event);
}

function noteCall(view: SessionView, event: FeedEventOf<'tool.pre' | 'tool.post' | 'tool.failure'>): void {
	view.summary.toolCalls += 1;
	countCall(view.tools, event.data.tool_name);
	countToolOf(view.actors, event.actor_id, event.ts, 'toolCalls');
}

function noteNativeId({ nativeIds }: SessionView, event: FeedEventOf<'session.native'>): void {
	const { native_id: id, reason } = event.data;
	if (id === '' || nativeIds.some((known) => known.id === id)) return;
	nativeIds.push({ id, reason, since: event.ts });
	if (nativeIds.length > MAX_NATIVE_IDS) nativeIds.splice(1, 1);
}

function noteModel({ summary }: SessionView, model: string | undefined): void {
	if (model) summary.model = model;
}

const TITLE_LENGTH = 80;

/** The first line with words in it, cut between characters and safe to show. */
function toTitle(prompt: string): string {
	const line = /\S[^\r\n]*/u.exec(prompt)?.[0].trimEnd() ?? '';
	// A character takes two code units at most, so this is more than a title, and never a huge line.
	const characters = [...line.slice(0, TITLE_LENGTH * 2 + 2)];
	const cut = characters.length > TITLE_LENGTH;
	return sanitiseLine(cut ? `${characters.slice(0, TITLE_LENGTH - 1).join('')}…` : line);
}
