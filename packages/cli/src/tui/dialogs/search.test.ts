import type { SearchHit } from '@roost/protocol/api/search';
import { eventId, sessionId } from '@roost/protocol/ids';
import { openDesk } from '@roost/testkit/rigs/desk-rig';
import { plainLook, toText } from '@roost/testkit/rigs/plain-look';
import { sampleFeed } from '@roost/testkit/rigs/sample-feed';
import { SAMPLE_NOW, sampleOpen, sampleWorld } from '@roost/testkit/rigs/sample-world';
import { describe, expect, it } from 'vitest';
import { selectedOf } from '../panes/feed.ts';
import { searchPane } from './search.ts';

const ROOM = { width: 80, height: 10, look: plainLook() };

function hit(session: string, place: number): SearchHit {
	const id = eventId.parse(`${session}:R1:E${place}`);
	const excerpt = `heron ${place}`;
	return {
		sessionId: sessionId.parse(session),
		eventId: id,
		offset: place,
		ts: SAMPLE_NOW,
		kind: 'user.prompt',
		title: '',
		excerpt,
	};
}

function openSearch() {
	const desk = openDesk(sampleWorld());
	desk.press('S');
	return { desk, text: () => toText(searchPane.draw(desk.scene().shell.panes.search, desk.world(), ROOM).rows, 80) };
}

describe('searching all sessions', () => {
	it('looks for the words, and lists what was found', () => {
		const { desk, text } = openSearch();
		expect(text()).toContain('Type words and press Enter.');
		desk.type('heron');
		expect(text()).toContain('Press Enter to look');
		desk.press('enter');
		expect(desk.wishes()).toEqual([{ type: 'search', words: 'heron' }]);
		desk.tell({ found: { unsearched: 0, words: 'heron', hits: null } });
		expect(text()).toContain('Looking.');
		desk.tell({ found: { unsearched: 0, words: 'heron', hits: [] } });
		expect(text()).toContain('Nothing was found.');
		desk.tell({ found: { unsearched: 0, words: 'heron', hits: [hit('m2x7', 3), hit('k3f9', 5)] } });
		expect(text()).toContain('2 hits, the newest first');
		expect(text()).toMatch(/m2x7 .* heron 3/);
		desk.tell({ found: { unsearched: 1_200, words: 'heron', hits: [] } });
		expect(text()).toContain('Nothing was found. 1200 new events not searched yet: look again in a moment.');
	});

	it('opens the chosen hit in its session, at that event', () => {
		const { desk } = openSearch();
		desk.type('heron');
		desk.tell({ found: { unsearched: 0, words: 'heron', hits: [hit('m2x7', 3), hit('m2x7', 16)] } });
		desk.press('down', 'enter');
		expect(desk.wishes()).toEqual([{ type: 'open-session', id: 'm2x7' }]);
		expect(desk.scene().shell).toMatchObject({ view: 'feed', dialogs: [] });
		const events = sampleFeed('m2x7');
		desk.tell({ open: sampleOpen(events.slice(0, 10), 'm2x7') });
		const open = sampleOpen(events, 'm2x7');
		desk.tell({ open });
		desk.press('o');
		expect(desk.scene().shell).toMatchObject({ view: 'detail', panes: { detail: { at: 'm2x7:R1:E16' } } });
	});

	it('looks again for other words, and takes those of the last time up', () => {
		const { desk, text } = openSearch();
		desk.tell({ found: { unsearched: 0, words: 'heron', hits: [hit('m2x7', 3)] } });
		expect(text()).toContain('heron');
		desk.type('s');
		desk.press('enter');
		expect(desk.wishes()).toEqual([{ type: 'search', words: 'herons' }]);
	});

	it('does nothing with nothing, and closes with Esc', () => {
		const { desk } = openSearch();
		desk.press('enter', 'down', 'up');
		expect(desk.wishes()).toEqual([]);
		desk.press('esc');
		expect(desk.scene().shell.dialogs).toEqual([]);
	});
});

describe('the feed that was opened at an event', () => {
	it('waits for it, stays with it while more comes, and lets go when the user moves', () => {
		const events = sampleFeed();
		const world = sampleWorld({
			found: { unsearched: 0, words: 'x', hits: [hit('k3f9', 8)] },
			open: sampleOpen(events.slice(0, 4)),
		});
		const desk = openDesk(world);
		desk.press('S', 'enter');
		const selected = () => desk.world().open?.feed.at(selectedOf(desk.scene().shell.panes.feed, sampleFeedOf(desk)));
		desk.tell({ open: sampleOpen(events) });
		desk.press('y', 'down', 'up');
		expect(selected()?.event.event_id).toBe('k3f9:R1:E8');
		desk.press('G');
		expect(desk.scene().shell.panes.feed.following).toBe(true);
	});

	it('is at what was before it, where lists hide the event itself', () => {
		const desk = openDesk(sampleWorld({ found: { unsearched: 0, words: 'x', hits: [hit('k3f9', 5)] } }));
		desk.press('S', 'enter', 'o');
		expect(desk.scene().shell.panes.detail.at).toBe('k3f9:R1:E4');
	});
});

function sampleFeedOf(desk: ReturnType<typeof openDesk>) {
	const { open } = desk.world();
	if (!open) throw new Error('no session is open');
	return open.feed;
}
