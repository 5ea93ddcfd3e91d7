import type { SearchHit } from '@roost/protocol/api/search';
import { eventId, sessionId } from '@roost/protocol/ids';
import { sampleFeed } from '@roost/testkit/rigs/record/sample-feed';
import { openHeadlessTui } from '@roost/testkit/rigs/tui/headless-tui';
import { plainStyles, toText } from '@roost/testkit/rigs/tui/plain-styles';
import { SAMPLE_NOW, sampleOpen, sampleWorld } from '@roost/testkit/rigs/tui/sample-world';
import { describe, expect, it } from 'vitest';
import { selectedOf } from '../panes/feed.ts';
import { searchPane } from './search.ts';

const ROOM = { width: 80, height: 10, styles: plainStyles() };

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
	const tui = openHeadlessTui(sampleWorld());
	tui.press('S');
	return { tui, text: () => toText(searchPane.draw(tui.scene().shell.panes.search, tui.world(), ROOM).rows, 80) };
}

describe('search in all sessions', () => {
	it('searches for the words and lists the hits', () => {
		const { tui, text } = openSearch();
		expect(text()).toContain('Type words and press Enter.');
		tui.type('heron');
		expect(text()).toContain('Press Enter to search');
		tui.press('enter');
		expect(tui.wishes()).toEqual([{ type: 'search', words: 'heron' }]);
		tui.report({ found: { unsearched: 0, words: 'heron', hits: null } });
		expect(text()).toContain('Looking.');
		tui.report({ found: { unsearched: 0, words: 'heron', hits: [] } });
		expect(text()).toContain('Nothing was found.');
		tui.report({ found: { unsearched: 0, words: 'heron', hits: [hit('m2x7', 3), hit('k3f9', 5)] } });
		expect(text()).toContain('2 hits, the newest first');
		expect(text()).toMatch(/m2x7 .* heron 3/);
		tui.report({ found: { unsearched: 1_200, words: 'heron', hits: [] } });
		expect(text()).toContain('Nothing was found. 1200 new events not searched yet; retry in a moment.');
	});

	it('opens the selected hit in its session at that event', () => {
		const { tui } = openSearch();
		tui.type('heron');
		tui.report({ found: { unsearched: 0, words: 'heron', hits: [hit('m2x7', 3), hit('m2x7', 16)] } });
		tui.press('down', 'enter');
		expect(tui.wishes()).toEqual([{ type: 'open-session', id: 'm2x7' }]);
		expect(tui.scene().shell).toMatchObject({ view: 'feed', dialogs: [] });
		const events = sampleFeed('m2x7');
		tui.report({ open: sampleOpen(events.slice(0, 10), 'm2x7') });
		const open = sampleOpen(events, 'm2x7');
		tui.report({ open });
		tui.press('o');
		expect(tui.scene().shell).toMatchObject({ view: 'detail', panes: { detail: { at: 'm2x7:R1:E16' } } });
	});

	it('starts with the previous words and searches again when they change', () => {
		const { tui, text } = openSearch();
		tui.report({ found: { unsearched: 0, words: 'heron', hits: [hit('m2x7', 3)] } });
		expect(text()).toContain('heron');
		tui.type('s');
		tui.press('enter');
		expect(tui.wishes()).toEqual([{ type: 'search', words: 'herons' }]);
	});

	it('does nothing without words and closes with Esc', () => {
		const { tui } = openSearch();
		tui.press('enter', 'down', 'up');
		expect(tui.wishes()).toEqual([]);
		tui.press('esc');
		expect(tui.scene().shell.dialogs).toEqual([]);
	});
});

describe('feed opened at an event', () => {
	it('selects the event once it is loaded and lets the user move away', () => {
		const events = sampleFeed();
		const world = sampleWorld({
			found: { unsearched: 0, words: 'x', hits: [hit('k3f9', 8)] },
			open: sampleOpen(events.slice(0, 4)),
		});
		const tui = openHeadlessTui(world);
		tui.press('S', 'enter');
		const selected = () => tui.world().open?.feed.at(selectedOf(tui.scene().shell.panes.feed, sampleFeedOf(tui)));
		tui.report({ open: sampleOpen(events) });
		tui.press('y', 'down', 'up');
		expect(selected()?.event.event_id).toBe('k3f9:R1:E8');
		tui.press('G');
		expect(tui.scene().shell.panes.feed.following).toBe(true);
	});

	it('selects the preceding event if lists hide the event itself', () => {
		const tui = openHeadlessTui(sampleWorld({ found: { unsearched: 0, words: 'x', hits: [hit('k3f9', 5)] } }));
		tui.press('S', 'enter', 'o');
		expect(tui.scene().shell.panes.detail.at).toBe('k3f9:R1:E4');
	});
});

function sampleFeedOf(tui: ReturnType<typeof openHeadlessTui>) {
	const { open } = tui.world();
	if (!open) throw new Error('no session is open');
	return open.feed;
}
