// The list of rows that a browser shows is the list of events that a terminal shows, whatever pages they are read in.
import type { FeedRow } from '@roost/protocol/api/feed-rows';
import type { FeedEvent } from '@roost/protocol/feed/event';
import { everyEvent } from '@roost/testkit/rigs/record/every-event';
import { anyEvent } from '@roost/testkit/rigs/record/linked-events';
import { sampleFeed } from '@roost/testkit/rigs/record/sample-feed';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createFeedList } from './feed-list.ts';
import { hasRow, toFeedRow } from './feed-row.ts';
import type { JoinedEntry, JoinedList } from './joined-list.ts';
import { createRowList } from './row-list.ts';

const ROUNDS = process.env.ROOST_SOAK ? 20_000 : 500;

describe('list of rows', () => {
	it('has the entries of the list of events, at the same places, for any page boundaries', () => {
		const feeds = fc.oneof(
			{
				weight: 10,
				arbitrary: fc.array(anyEvent, { maxLength: 40 }).map((makers) => makers.map((make, index) => make(index + 1))),
			},
			{ weight: 1, arbitrary: fc.constantFrom(sampleFeed(), everyEvent('text', 1)) },
		);
		fc.assert(
			fc.property(feeds, fc.array(fc.nat(40), { maxLength: 6 }), fc.nat(5), (events, borders, live) => {
				const rowOf = toRows(events);
				const pages = { events, borders, live };
				const listed = readInPages(createFeedList({ olderComes: true }), pages, (event) => [event]);
				const rows = readInPages(createRowList({ olderComes: true }), pages, (event) => (hasRow(event) ? [rowOf(event)] : []));
				expect(entriesOf(rows)).toEqual(entriesOf(listed).map((entry) => toRowEntry(entry, rowOf)));
				expect([rows.first, rows.end]).toEqual([listed.first, listed.end]);
				for (const event of events.filter(hasRow)) {
					expect(rows.indexOf(event.event_id)).toBe(listed.indexOf(event.event_id));
					expect(rows.eventOf(event.event_id)).toEqual(rowOrNone(listed.eventOf(event.event_id), rowOf));
					expect(rows.promptOf(event.run_id)).toEqual(rowOrNone(listed.promptOf(event.run_id), rowOf));
				}
			}),
			{ numRuns: ROUNDS },
		);
	});
});

type RowOf = (event: FeedEvent) => FeedRow;

function toRows(events: readonly FeedEvent[]): RowOf {
	const rows = new Map(events.map((event, index) => [event, toFeedRow({ offset: index + 1, event }, 1)]));
	return (event) => rows.get(event) ?? expect.fail(event.event_id);
}

type Pages = { events: readonly FeedEvent[]; borders: readonly number[]; live: number };

/** The newest page first, then older ones, while some live events arrive. */
function readInPages<T, R, D>(
	list: JoinedList<T, R, D>,
	{ events, borders, live }: Pages,
	toItems: (event: FeedEvent) => readonly T[],
): JoinedList<T, R, D> {
	let last = Math.max(0, events.length - live);
	const coming = events.slice(last);
	for (const next of [...borders.filter((border) => border < last).sort((a, b) => b - a), 0]) {
		list.addOlder(events.slice(next, last).flatMap(toItems));
		for (const item of coming.splice(0, 2).flatMap(toItems)) list.add(item);
		last = next;
	}
	list.endOlder();
	for (const item of coming.flatMap(toItems)) list.add(item);
	return list;
}

function entriesOf<T, R, D>(list: JoinedList<T, R, D>): JoinedEntry<T, R, D>[] {
	return Array.from({ length: list.end - list.first }, (_, index) => list.at(list.first + index) ?? expect.fail('a gap'));
}

function toRowEntry(entry: JoinedEntry<FeedEvent, FeedEvent, FeedEvent>, rowOf: RowOf) {
	const { event, result, decision, waitedMs } = entry;
	return { event: rowOf(event), result: rowOrNone(result, rowOf), decision: rowOrNone(decision, rowOf), waitedMs };
}

function rowOrNone(event: FeedEvent | undefined, rowOf: RowOf): FeedRow | undefined {
	return event && rowOf(event);
}
