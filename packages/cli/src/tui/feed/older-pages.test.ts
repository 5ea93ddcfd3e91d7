import { createFeedList } from '@roost/core/views/feed-list';
import { sampleEvent } from '@roost/testkit/rigs/record/sample-append';
import { sampleOpen, sampleWorld } from '@roost/testkit/rigs/tui/sample-world';
import { describe, expect, it } from 'vitest';
import { type FeedState, feedPane } from '../panes/feed.ts';
import { createStyles } from '../screen/styles.ts';

const ROOM = { width: 80, height: 10, styles: createStyles({ theme: 'dark', colour: false, ascii: true }) };
const EVENTS = Array.from({ length: 60 }, (_, index) => sampleEvent('s', index + 1));

describe('older entries loaded while the feed is open', () => {
	it.each([
		['at the end', []],
		['further up', ['up', 'page-up', 'up']],
		['at the very top', ['top']],
		['at the first event after clearing', ['top', 'clear']],
	])('change nothing on the screen when the user is %s', (_, actions) => {
		const feed = createFeedList({ olderComes: true });
		for (const event of EVENTS.slice(40)) feed.add(event);
		const world = sampleWorld({ open: { ...sampleOpen([]), feed } });
		let state: FeedState = feedPane.start(world);
		for (const action of actions) {
			state = action === 'clear' ? { ...state, cleared: 5 } : feedPane.act(state, action, world, ROOM).state;
		}
		const before = feedPane.draw(state, world, ROOM);
		feed.addOlder(EVENTS.slice(20, 40));
		feed.addOlder(EVENTS.slice(0, 20));
		feed.endOlder();
		expect(feedPane.draw(state, world, ROOM)).toEqual(before);
	});

	it('can be reached above the previous top', () => {
		const feed = createFeedList({ olderComes: true });
		for (const event of EVENTS.slice(40)) feed.add(event);
		const world = sampleWorld({ open: { ...sampleOpen([]), feed } });
		const top = feedPane.act(feedPane.start(world), 'top', world, ROOM).state;
		feed.addOlder(EVENTS.slice(0, 40));
		const up = feedPane.act(top, 'up', world, ROOM).state;
		expect(feed.at(up.selected)?.event.seq).toBe(40);
		const first = feedPane.act(up, 'top', world, ROOM).state;
		expect(feed.at(first.selected)?.event.seq).toBe(1);
	});
});
