// A view as JSON and back, so that a client continues to fold where the runner is.
import { queuedPrompt } from '@roost/protocol/api/driving';
import { todoPriority, todoStatus } from '@roost/protocol/feed/agents';
import { tokenUsage } from '@roost/protocol/feed/conversation';
import { actorId, askId, eventId, runId, sessionId } from '@roost/protocol/ids';
import { drive, nativeId, sessionRow, sessionStatus } from '@roost/protocol/session-row';
import { z } from 'zod';
import type { SessionView } from './session-view.ts';

/** Maps become lists of pairs, sets become lists. */
export function toJsonView(view: SessionView): Record<string, unknown> {
	const { actors, asks, dialogs, todos, tools } = view;
	return {
		...view,
		actors: { byId: [...actors.byId], stopped: [...actors.stopped] },
		asks: { byId: [...asks.byId], idByEvent: [...asks.idByEvent] },
		dialogs: { ...dialogs, open: [...dialogs.open] },
		todos: { byKey: [...todos.byKey], lastKeyById: [...todos.lastKeyById] },
		tools: { ...tools, byTool: [...tools.byTool], inFlight: [...tools.inFlight] },
	};
}

/** Undefined where it is not a view that this version can continue. */
export function parseView(json: unknown): SessionView | undefined {
	return sessionView.safeParse(json).data;
}

const pairs = z.array(z.tuple([z.unknown(), z.unknown()]));

function mapOf<K extends z.ZodType, V extends z.ZodType>(key: K, value: V) {
	return pairs.transform((entries) => new Map(entries)).pipe(z.map(key, value));
}

const text = z.string();
const count = z.number();

const state = z.object({
	status: sessionStatus,
	since: count.optional(),
	openRun: runId.optional(),
	interrupted: z.boolean(),
	lastRun: sessionRow.shape.lastRun,
	ended: z.boolean(),
});

const summary = z.object({
	title: text,
	model: text.optional(),
	cwd: text.optional(),
	firstTs: count.optional(),
	lastTs: count.optional(),
	endedAt: count.optional(),
	events: count,
	toolCalls: count,
	toolFailures: count,
	lastShown: sessionRow.shape.lastEvent,
});

const runEnd = ['completed', 'failed', 'aborted'] as const;
const runs = z.object({
	recent: z.array(z.object({ runId, status: z.enum(['running', ...runEnd]), startedAt: count, durationMs: count.optional() })),
	started: count,
	totals: z.record(z.enum([...runEnd, 'durationMs']), count),
});

const actor = z.object({
	actorId,
	kind: z.enum(['user', 'agent', 'subagent']),
	agentType: text.optional(),
	parentId: actorId.optional(),
	running: z.boolean(),
	startedAt: count.optional(),
	stoppedAt: count.optional(),
	toolCalls: count,
	toolFailures: count,
});

const openAsk = z.object({
	askId,
	eventId,
	runId,
	actorId,
	openedAt: count,
	toolUseId: text.optional(),
	callEventId: eventId.optional(),
	ownDialog: z.boolean(),
});

const todo = z.object({ text, priority: todoPriority.optional(), todoId: text, actorId, status: todoStatus });
const toolStatistic = z.object({ calls: count, failures: count, durationMs: count });
const prompts = z.array(queuedPrompt);

const sessionView: z.ZodType<SessionView, unknown> = z.object({
	sessionId,
	state,
	summary,
	runs,
	actors: z.object({
		byId: mapOf(actorId, actor),
		stopped: z.array(actorId).transform((ids) => new Set(ids)),
	}),
	asks: z.object({ byId: mapOf(askId, openAsk), idByEvent: mapOf(eventId, askId) }),
	dialogs: z.object({ open: mapOf(text, z.boolean()), expired: z.boolean() }),
	todos: z.object({ byKey: mapOf(text, todo), lastKeyById: mapOf(text, text) }),
	usage: z.object({
		total: tokenUsage,
		byModel: z.record(text, tokenUsage),
		costUsdEstimate: count.optional(),
		pricesAsOf: text.optional(),
	}),
	tools: z.object({ byTool: mapOf(text, toolStatistic), other: toolStatistic, inFlight: mapOf(text, count) }),
	nativeIds: z.array(nativeId),
	connection: z.object({
		status: z.enum(['unknown', 'connected', 'gap', 'degraded']),
		since: count.optional(),
		reason: text.optional(),
	}),
	prompts: z.object({ waiting: prompts, sent: prompts }),
	drive: drive.optional(),
	gate: sessionRow.shape.gate,
	archived: z.boolean(),
});
