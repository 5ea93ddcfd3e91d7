// Pending requests of the agent, by request id. Each is decided once and then removed.
import type { FeedEvent } from '@roost/protocol/feed/event';
import type { ActorId, AskId, EventId } from '@roost/protocol/ids';
import { KEPT } from './keep-newest.ts';

export type OpenRequest = {
	kind: 'permission' | 'question' | 'stop';
	/** The event of the request, which is the parent of its decision. */
	eventId: EventId;
	actorId: ActorId;
	toolUseId?: string;
	/** The request stays until its ask is settled. */
	askId?: AskId;
};

export type OpenRequests = Map<string, OpenRequest>;

export function foldRequest(requests: OpenRequests, event: FeedEvent, what: Pick<OpenRequest, 'kind' | 'askId'>): void {
	const id = event.cause?.hook_request_id;
	if (id === undefined) return;
	const { event_id: eventId, actor_id: actorId } = event;
	if (what.kind === 'stop') dropStopsOf(requests, actorId);
	requests.set(id, { ...what, eventId, actorId, toolUseId: event.cause?.tool_use_id });
	if (requests.size > KEPT) dropOldest(requests);
}

export function dropAnswered(requests: OpenRequests, decision: FeedEvent): void {
	requests.delete(decision.cause?.hook_request_id ?? '');
}

/** When a new run begins, only requests with an ask can still be decided. */
export function dropStale(requests: OpenRequests): void {
	for (const [id, request] of requests) if (request.askId === undefined) requests.delete(id);
}

/** A request with an ask is never dropped: every ask is settled in the end. */
function dropOldest(requests: OpenRequests): void {
	const oldest = requests.entries().find(([, request]) => request.askId === undefined);
	if (oldest) requests.delete(oldest[0]);
}

/** An agent stops once at a time. */
function dropStopsOf(requests: OpenRequests, actorId: ActorId): void {
	for (const [id, request] of requests) if (request.kind === 'stop' && request.actorId === actorId) requests.delete(id);
}
