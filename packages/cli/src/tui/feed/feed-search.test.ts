import { eventTitle } from '@roost/core/feed/title';
import { createFeedList } from '@roost/core/views/feed-list';
import { sampleEvent } from '@roost/testkit/rigs/record/sample-append';
import { sampleFeed } from '@roost/testkit/rigs/record/sample-feed';
import { openHeadlessTui } from '@roost/testkit/rigs/tui/headless-tui';
import { sampleOpen, sampleWorld } from '@roost/testkit/rigs/tui/sample-world';
import { describe, expect, it } from 'vitest';
import { drawFrame } from '../frame.ts';
import { createStyles } from '../screen/styles.ts';
import { findInFeed } from './feed-search.ts';

function messages(count: number, textAt: (index: number) => string) {
	const feed = createFeedList();
	for (let index = 0; index < count; index += 1) {
		feed.add(sampleEvent('s', index + 1, { kind: 'agent.message', data: { text: textAt(index) } }));
	}
	return feed;
}

const STYLES = createStyles({ theme: 'dark', colour: true, ascii: false });
const WINDOW = { columns: 80, rows: 24 };
const UP = { step: -1, floor: 0 } as const;

describe('text search in the feed', () => {
	it('finds the nearest match upwards and downwards', () => {
		const entries = messages(10, (index) => (index % 4 === 0 ? 'a Heron' : 'a stork'));
		expect(findInFeed(entries, { ...UP, words: 'heron', from: 7 })).toEqual({ at: 4, inBody: false });
		expect(findInFeed(entries, { words: 'heron', from: 5, step: 1, floor: 0 })).toEqual({ at: 8, inBody: false });
		expect(findInFeed(entries, { words: 'heron', from: 9, step: 1, floor: 0 })).toBeNull();
		expect(findInFeed(entries, { ...UP, words: 'heron', from: 3, floor: 1 })).toBeNull();
	});

	it('matches capitals and special characters literally', () => {
		const entries = messages(1, () => 'a heron (1.5)');
		expect(findInFeed(entries, { ...UP, words: 'Heron', from: 0 })).toBeNull();
		expect(findInFeed(entries, { ...UP, words: '(1.5)', from: 0 })).not.toBeNull();
		expect(findInFeed(entries, { ...UP, words: '1x5', from: 0 })).toBeNull();
		for (const words of ['[', '\\', '{', '}', '*', '-', '\u{1f426}', '\ud800']) {
			expect.soft(() => findInFeed(entries, { ...UP, words, from: 0 })).not.toThrow();
		}
	});

	it('searches titles and results', () => {
		const { feed } = sampleOpen(sampleFeed());
		const from = feed.end - 1;
		expect(findInFeed(feed, { ...UP, words: 'subagent explore', from })).toMatchObject({ inBody: false });
		expect(findInFeed(feed, { ...UP, words: 'ok is not defined', from })).toMatchObject({ inBody: true });
	});

	it('stops after a limited amount of work and returns where to continue', () => {
		const entries = messages(12_000, (index) => (index === 0 ? 'heron' : 'stork'));
		const first = findInFeed(entries, { ...UP, words: 'heron', from: 11_999 });
		expect(first).toEqual({ next: 6_999 });
		expect(findInFeed(entries, { ...UP, words: 'heron', from: 6_999 })).toEqual({ next: 1_999 });
		expect(findInFeed(entries, { ...UP, words: 'heron', from: 1_999 })).toEqual({ at: 0, inBody: false });
		const huge = messages(20, () => 'stork '.repeat(100_000));
		expect(findInFeed(huge, { ...UP, words: 'heron', from: 19 })).toEqual({ next: 15 });
	});
});

describe('search line of the feed', () => {
	function searching(words: string, open = sampleOpen(sampleFeed())) {
		const tui = openHeadlessTui(sampleWorld({ open }));
		tui.press('/');
		tui.type(words);
		tui.press('enter');
		const state = () => tui.scene().shell.panes.feed;
		const title = () => {
			const event = open.feed.at(state().selected)?.event;
			return event && eventTitle(event);
		};
		return { tui, state, title };
	}

	it('moves between matches with n and N and reports when there are no more', () => {
		const { tui, state, title } = searching('subagent');
		expect(title()).toMatch(/finished|stopped/);
		tui.press('n');
		expect(title()).toMatch(/started/);
		tui.press('n');
		expect(state().search?.note).toBe('nothing more above');
		tui.press('N');
		expect(title()).toMatch(/finished|stopped/);
		tui.press('N');
		expect(state().search?.note).toBe('nothing more below');
		tui.press('esc');
		expect(state().search).toBeNull();
	});

	it('shows the match count and position and highlights the words', () => {
		const { tui } = searching('subagent');
		const screen = () => drawFrame(tui.scene(), WINDOW, STYLES).lines.join('\n');
		expect(screen()).toContain('1 of 2');
		expect(screen()).toContain(STYLES.paint('found', 'Subagent'));
		tui.press('n');
		expect(screen()).toContain('2 of 2');
		tui.press('down');
		expect(screen()).toContain('2 found');
		tui.press('esc');
		expect(screen()).not.toContain(STYLES.paint('found', 'Subagent'));
	});

	it('expands an entry that matches only in its body', () => {
		const { state } = searching('is not defined');
		expect([...state().opened.values()]).toEqual([true]);
	});

	it('continues with n when the first search reached its limit', () => {
		const feed = messages(6_000, (index) => (index === 10 ? 'heron' : 'stork'));
		const open = { ...sampleOpen([]), feed };
		const { tui, state } = searching('heron', open);
		expect(state().search?.note).toBe('not in the next 5000 above: press n to continue');
		tui.press('n');
		expect(state().selected).toBe(10);
	});

	it('treats letters as text while typing and closes with Esc', () => {
		const tui = openHeadlessTui(sampleWorld());
		tui.press('/');
		tui.type('quit?:');
		expect(tui.scene().shell).toMatchObject({
			view: 'feed',
			dialogs: [],
			panes: { feed: { search: { field: { text: 'quit?:' } } } },
		});
		tui.press('esc');
		expect(tui.scene().shell.panes.feed.search).toBeNull();
	});
});

describe('cleared feed', () => {
	it('limits movement and search to later events until everything is shown again', () => {
		const events = sampleFeed();
		const open = sampleOpen(events.slice(0, 16));
		const tui = openHeadlessTui(sampleWorld({ open }));
		tui.press(':', ...'clear', 'enter');
		const cleared = open.feed.end;
		expect(tui.scene().shell.panes.feed.cleared).toBe(cleared);
		tui.press('up', 'enter', 'y', 'o');
		expect(tui.scene().shell.view).toBe('feed');
		for (const event of events.slice(16)) open.feed.add(event);
		tui.press('g', 'up', 'pgup');
		expect(tui.scene().shell.panes.feed.selected).toBe(cleared);
		tui.press('/');
		tui.type('startup');
		tui.press('enter');
		expect(tui.scene().shell.panes.feed.search?.note).toBe('nothing more above');
		tui.press(':', ...'show', 'enter', 'g');
		expect(tui.scene().shell.panes.feed).toMatchObject({ cleared: Number.NEGATIVE_INFINITY, selected: 0 });
	});
});
