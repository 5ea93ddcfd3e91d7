// The open asks of a session: opened by requests that carry an ask, closed by decisions.
import type { FeedEventOf } from '@roost/protocol/feed/event';
import type { ActorId, AskId, EventId, RunId } from '@roost/protocol/ids';
import { MAX_OPEN_ASKS } from './bounds.ts';

export type OpenAsk = {
	askId: AskId;
	eventId: EventId;
	runId: RunId;
	/** Who made the request; the event itself is the system's. */
	actorId: ActorId;
	openedAt: number;
	toolUseId?: string | undefined;
	/** The `tool.pre` of the call that it is about. */
	callEventId?: EventId | undefined;
	ownDialog: boolean;
};

export type OpenAsks = {
	/** At most MAX_OPEN_ASKS, oldest first. */
	byId: Map<AskId, OpenAsk>;
	idByEvent: Map<EventId, AskId>;
};

export type AskRequest = FeedEventOf<'permission.request' | 'question.request'>;
export type AskOutcome = FeedEventOf<'permission.decision' | 'question.answer'>;

/** A request without an ask was decided at once. */
export function openAsk(asks: OpenAsks, event: AskRequest): void {
	const askId = event.data.ask_id;
	if (askId === undefined) return;
	closeById(asks, askId);
	asks.byId.set(askId, {
		askId,
		eventId: event.event_id,
		runId: event.run_id,
		actorId: (event.kind === 'permission.request' && event.data.requested_by) || event.actor_id,
		openedAt: event.ts,
		toolUseId: event.data.tool_use_id,
		callEventId: event.cause?.parent_event_id,
		ownDialog: event.data.own_dialog === true,
	});
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

export function closeAsksOfRun(asks: OpenAsks, runId: RunId): void {
	for (const ask of asks.byId.values()) if (ask.runId === runId) closeById(asks, ask.askId);
}

export function closeAllAsks(asks: OpenAsks): void {
	asks.byId.clear();
	asks.idByEvent.clear();
}

function closeById(asks: OpenAsks, askId: AskId | undefined): void {
	const ask = askId === undefined ? undefined : asks.byId.get(askId);
	if (ask === undefined) return;
	asks.byId.delete(ask.askId);
	if (asks.idByEvent.get(ask.eventId) === ask.askId) asks.idByEvent.delete(ask.eventId);
}
