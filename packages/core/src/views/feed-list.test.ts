import type { FeedEvent } from '@roost/protocol/feed/event';
import { eventId } from '@roost/protocol/ids';
import {
	announcement,
	anyEvent,
	call,
	decision,
	failure,
	message,
	request,
	success,
} from '@roost/testkit/rigs/record/linked-events';
import { sampleFeed } from '@roost/testkit/rigs/record/sample-feed';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createFeedList, type FeedList } from './feed-list.ts';

describe('feed list read from its end', () => {
	it('finally equals the list read from its start, for any page boundaries', () => {
		fc.assert(
			fc.property(fc.array(anyEvent, { maxLength: 40 }), fc.array(fc.nat(40), { maxLength: 6 }), (kinds, borders) => {
				const events = kinds.map((make, index) => make(index + 1));
				const [start = 0, ...rest] = borders.map((border) => Math.min(border, events.length)).sort((a, b) => b - a);
				const list = createFeedList({ olderComes: true });
				// Some live events arrive while older ones are still being read.
				const live = events.slice(start);
				const [border, ...others] = [start, ...rest, 0];
				let last = border ?? 0;
				for (const next of others) {
					for (const event of live.splice(0, 3)) list.add(event);
					list.addOlder(events.slice(next, last));
					last = next;
				}
				list.endOlder();
				for (const event of live) list.add(event);
				expect(toShape(list, events)).toEqual(toShape(inOrder(events), events));
			}),
			{ numRuns: process.env.ROOST_SOAK ? 20_000 : 500 },
		);
	});

	it('never moves existing entries', () => {
		const events = sampleFeed();
		const list = createFeedList({ olderComes: true });
		for (const event of events.slice(10)) list.add(event);
		const before = shownIds(list);
		const places = before.map((id) => list.indexOf(eventId.parse(id)));
		for (const [from, to] of [
			[6, 10],
			[0, 6],
		] as const) {
			list.addOlder(events.slice(from, to));
		}
		list.endOlder();
		expect(before.map((id) => list.indexOf(eventId.parse(id)))).toEqual(places);
		expect(shownIds(list).slice(-before.length)).toEqual(before);
	});

	it('joins a result with its call across a page boundary', () => {
		const list = createFeedList({ olderComes: true });
		list.add(failure(2, 1));
		expect(list.end - list.first).toBe(0);
		list.addOlder([call(1)]);
		expect(list.at(list.first)?.result?.event_id).toBe('s:R1:E2');
	});

	it('joins a decision with its request, also across a page boundary', () => {
		const list = createFeedList({ olderComes: true });
		list.add(decision(3, 2));
		expect(list.end - list.first).toBe(0);
		list.addOlder([call(1), request(2)]);
		list.endOlder();
		expect(shownIds(list)).toEqual(['s:R1:E1', 's:R1:E2']);
		expect(list.at(list.first + 1)?.decision?.event_id).toBe('s:R1:E3');
		expect(list.eventOf(eventId.parse('s:R1:E3'))?.kind).toBe('permission.decision');
	});

	it('joins a decision without an ask to its call, together with the result', () => {
		const list = inOrder([call(1), decision(2, 1), failure(3, 1)]);
		expect(shownIds(list)).toEqual(['s:R1:E1']);
		expect(list.at(0)).toMatchObject({ decision: { seq: 2 }, result: { seq: 3 } });
	});

	it('shows a decision at its own position if its request is missing or it is about something else', () => {
		const list = inOrder([message(1), decision(2, 99), decision(3, 1)]);
		expect(shownIds(list)).toEqual(['s:R1:E1', 's:R1:E2', 's:R1:E3']);
	});

	it('shows a message before the call it announces, even if it arrived later, live and replayed', () => {
		const events = [message(1), call(2), request(3), announcement(4, 2), success(5, 2)];
		const read = createFeedList({ olderComes: true });
		read.addOlder(events);
		read.endOlder();
		for (const list of [inOrder(events), read]) expect(shownIds(list)).toEqual(['s:R1:E1', 's:R1:E4', 's:R1:E2', 's:R1:E3']);
	});

	it('measures how long a call waited for a decision', () => {
		const at = (ts: number, event: FeedEvent): FeedEvent => ({ ...event, ts });
		const asked = { ...at(1_000, request(2)), cause: { parent_event_id: eventId.parse('s:R1:E1') } };
		const events = [at(900, call(1)), asked, at(61_000, decision(3, 2)), at(61_050, success(4, 1))];
		const read = createFeedList({ olderComes: true });
		read.addOlder(events);
		for (const list of [inOrder(events), read]) expect(list.at(list.first)).toMatchObject({ waitedMs: 60_000 });
	});

	it('omits usage, which the header shows', () => {
		const usage = sampleFeed().find(({ kind }) => kind === 'usage.update');
		expect(usage && shownIds(inOrder([usage]))).toEqual([]);
	});

	it('shows a failure without a call once the call is known to be missing', () => {
		const list = createFeedList({ olderComes: true });
		for (const event of [message(2), failure(3, 99), message(4)]) list.add(event);
		list.addOlder([message(1)]);
		expect(shownIds(list)).toEqual(['s:R1:E1', 's:R1:E2', 's:R1:E4']);
		list.endOlder();
		expect(shownIds(list)).toEqual(['s:R1:E1', 's:R1:E2', 's:R1:E3', 's:R1:E4']);
		expect(list.at(list.indexOf(eventId.parse('s:R1:E4')) ?? 0)?.event.seq).toBe(4);
	});
});

/** The positions of the events, counted from the oldest. */
function toShape(list: FeedList, events: readonly FeedEvent[]) {
	return {
		shown: Array.from({ length: list.end - list.first }, (_, index) => list.at(list.first + index)),
		places: events.map(({ event_id }) => (list.end === list.first ? 0 : (list.indexOf(event_id) ?? 0) - list.first)),
		events: events.map(({ event_id }) => list.eventOf(event_id)),
		prompt: events[0] && list.promptOf(events[0].run_id),
	};
}

function shownIds(list: FeedList): string[] {
	return Array.from({ length: list.end - list.first }, (_, index) => list.at(list.first + index)?.event.event_id ?? '');
}

function inOrder(events: readonly FeedEvent[]): FeedList {
	const list = createFeedList();
	for (const event of events) list.add(event);
	return list;
}
