// Stored lines in the order in which things were said and done: a message may be stored after the call that it announces.
import type { FeedEvent } from '@roost/protocol/feed/event';
import type { EventId } from '@roost/protocol/ids';

export function inSpokenOrder<Line extends { event: FeedEvent }>(lines: readonly Line[]): Line[] {
	const calls = new Set(lines.map(({ event }) => event.event_id));
	const before = Map.groupBy(lines, ({ event }) => announcedIn(calls, event));
	return (before.get(undefined) ?? []).flatMap((line) => [...(before.get(line.event.event_id) ?? []), line]);
}

function announcedIn(calls: ReadonlySet<EventId>, event: FeedEvent): EventId | undefined {
	const call = event.kind === 'agent.message' ? event.data.announces : undefined;
	return call !== undefined && calls.has(call) ? call : undefined;
}
