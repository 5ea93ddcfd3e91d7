// The count does not depend on how the feed was loaded, and no frame counts all of it.

import { createFeedList, type FeedList } from '@roost/core/views/feed-list';
import type { FeedEvent } from '@roost/protocol/feed/event';
import { eventId } from '@roost/protocol/ids';
import { sampleEvent } from '@roost/testkit/rigs/record/sample-append';
import { describe, expect, it } from 'vitest';
import { countMatches } from './feed-search.ts';

const EVERYTHING = Number.NEGATIVE_INFINITY;

describe('match count', () => {
	it('ranks matches from the newest and includes new events', () => {
		const feed = fill(1, 10, (seq) => (seq % 3 === 0 ? 'heron' : 'stork'));
		const first = countMatches(feed, 'heron', EVERYTHING);
		expect([first.total, first.isWhole]).toEqual([3, true]);
		expect([8, 5, 2, 7].map(first.rankOf)).toEqual([1, 2, 3, undefined]);
		for (const seq of [11, 12]) feed.add(message(seq, 'a heron'));
		const next = countMatches(feed, 'heron', EVERYTHING);
		expect(next.total).toBe(5);
		expect([11, 10, 8, 2].map(next.rankOf)).toEqual([1, 2, 3, 5]);
	});

	it('includes older entries once they are read and excludes cleared ones', () => {
		const feed = createFeedList({ olderComes: true });
		for (const seq of [5, 6]) feed.add(message(seq, 'heron'));
		expect(countMatches(feed, 'heron', EVERYTHING).total).toBe(2);
		feed.addOlder([3, 4].map((seq) => message(seq, 'heron')));
		expect(countMatches(feed, 'heron', EVERYTHING).rankOf(feed.first)).toBe(4);
		expect(countMatches(feed, 'heron', 1).total).toBe(1);
	});

	it('counts a call once its result matches', () => {
		const feed = createFeedList();
		feed.add(sampleEvent('s', 1, { kind: 'tool.pre', data: CALL }));
		feed.add(message(2, 'heron'));
		expect(countMatches(feed, 'heron', EVERYTHING).total).toBe(1);
		feed.add(result(3, 1, 'a heron'));
		const count = countMatches(feed, 'heron', EVERYTHING);
		expect([count.total, count.rankOf(0), count.rankOf(1)]).toEqual([2, 2, 1]);
	});

	it('scans a long feed in slices and each entry only once', () => {
		const feed = fill(1, 12_000, () => 'heron');
		let looks = 0;
		const counted = {
			at(place: number) {
				looks += 1;
				return feed.at(place);
			},
			get end() {
				return feed.end;
			},
			get first() {
				return feed.first;
			},
		};
		const seen = [1, 2, 3, 4].map(() => {
			const { total, isWhole } = countMatches(counted, 'heron', EVERYTHING);
			return [total, isWhole];
		});
		expect(seen).toEqual([
			[5_000, false],
			[10_000, false],
			[12_000, true],
			[12_000, true],
		]);
		expect(looks).toBe(12_000);
	});
});

const CALL = { tool_name: 'Bash', tool_input: { command: 'ls' } };

function message(seq: number, text: string): FeedEvent {
	return sampleEvent('s', seq, { kind: 'agent.message', data: { text } });
}

function result(seq: number, parent: number, stdout: string): FeedEvent {
	const data = { ...CALL, tool_response: { stdout } };
	const cause = { parent_event_id: eventId.parse(`s:R1:E${parent}`) };
	return { ...sampleEvent('s', seq, { kind: 'tool.post', data }), cause };
}

function fill(from: number, to: number, textOf: (seq: number) => string): FeedList {
	const feed = createFeedList();
	for (let seq = from; seq <= to; seq += 1) feed.add(message(seq, textOf(seq)));
	return feed;
}
