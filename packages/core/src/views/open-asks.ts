// What somebody has to decide now: opened by requests that carry an ask, closed by what was decided.
import type { Risk } from '@roost/protocol/ask';
import type { ToolInput } from '@roost/protocol/feed/base';
import type { Question } from '@roost/protocol/feed/decisions';
import type { FeedEventOf } from '@roost/protocol/feed/event';
import type { ActorId, AskId, EventId, RunId } from '@roost/protocol/ids';
import { MAX_OPEN_ASKS } from './bounds.ts';

export type OpenAsk = {
	askId: AskId;
	eventId: EventId;
	runId: RunId;
	actorId: ActorId;
	openedAt: number;
	title: string;
	toolUseId?: string | undefined;
	/** The `tool.pre` of the call that it is about. */
	callEventId?: EventId | undefined;
	ownDialog: boolean;
} & ({ kind: 'permission'; tool: string; input: ToolInput; risk: Risk } | { kind: 'question'; questions: readonly Question[] });

export type OpenAsks = {
	/** At most MAX_OPEN_ASKS, oldest first. */
	byId: Map<AskId, OpenAsk>;
	idByEvent: Map<EventId, AskId>;
};

type AskRequest = FeedEventOf<'permission.request'> | FeedEventOf<'question.request'>;
type AskOutcome = FeedEventOf<'permission.decision'> | FeedEventOf<'question.answer'>;

export function createOpenAsks(): OpenAsks {
	return { byId: new Map(), idByEvent: new Map() };
}

/** A request without an ask was decided at once: nobody waits for it. */
export function openAsk(asks: OpenAsks, event: AskRequest): void {
	const askId = event.data.ask_id;
	if (askId === undefined) return;
	closeById(asks, askId);
	const base = { askId, ...originOf(event) };
	asks.byId.set(
		askId,
		event.kind === 'permission.request'
			? { ...base, kind: 'permission', tool: event.data.tool_name, input: event.data.tool_input, risk: event.data.risk }
			: { ...base, kind: 'question', questions: event.data.questions },
	);
	asks.idByEvent.set(event.event_id, askId);
	if (asks.byId.size > MAX_OPEN_ASKS) closeById(asks, asks.byId.keys().next().value);
}

/** By the ask it names, and by the request it answers. */
export function closeAsk(asks: OpenAsks, event: AskOutcome): void {
	const parent = event.cause?.parent_event_id;
	if (event.data.ask_id !== undefined) closeById(asks, event.data.ask_id);
	if (parent !== undefined) closeById(asks, asks.idByEvent.get(parent));
}

export function findAsk(asks: OpenAsks, { data, cause }: AskOutcome): OpenAsk | undefined {
	const id = data.ask_id ?? (cause?.parent_event_id && asks.idByEvent.get(cause.parent_event_id));
	return id ? asks.byId.get(id) : undefined;
}

/** The run is over: nobody waits for an answer any more. */
export function closeAsksOfRun(asks: OpenAsks, runId: RunId): void {
	for (const ask of asks.byId.values()) if (ask.runId === runId) closeById(asks, ask.askId);
}

export function closeAllAsks(asks: OpenAsks): void {
	asks.byId.clear();
	asks.idByEvent.clear();
}

/** The system reports a request; whoever made it is the one who waits. */
function originOf(event: AskRequest) {
	return {
		eventId: event.event_id,
		runId: event.run_id,
		actorId: (event.kind === 'permission.request' && event.data.requested_by) || event.actor_id,
		openedAt: event.ts,
		title: event.title,
		toolUseId: event.data.tool_use_id,
		callEventId: event.cause?.parent_event_id,
		ownDialog: event.data.own_dialog === true,
	};
}

function closeById(asks: OpenAsks, askId: AskId | undefined): void {
	const ask = askId === undefined ? undefined : asks.byId.get(askId);
	if (ask === undefined) return;
	asks.byId.delete(ask.askId);
	if (asks.idByEvent.get(ask.eventId) === ask.askId) asks.idByEvent.delete(ask.eventId);
}
