import type { World } from '@roost/client/world/world';
import type { FeedEvent } from '@roost/protocol/feed/event';
import { sampleFeed } from '@roost/testkit/rigs/record/sample-feed';
import { plainStyles, toText } from '@roost/testkit/rigs/tui/plain-styles';
import { sampleOpen, samplePast, sampleWorld } from '@roost/testkit/rigs/tui/sample-world';
import { describe, expect, it } from 'vitest';
import type { Room } from '../pane.ts';
import { type FeedState, feedPane, selectedOf } from './feed.ts';

const ROOM: Room = { width: 80, height: 10, styles: plainStyles() };

describe('feed', () => {
	it('fills its room', () => {
		const world = sampleWorld();
		const { rows } = feedPane.draw(feedPane.start(world), world, ROOM);
		expect(rows).toHaveLength(ROOM.height);
		expect(rows.at(-1)).toBeDefined();
	});

	it('stops following when moved up, shows the number of new entries and follows again at the end', () => {
		const events = sampleFeed();
		const few = sampleWorld({ open: sampleOpen(events.slice(0, -4)) });
		const up = press(feedPane.start(few), ['up', 'up'], few);
		const all = sampleWorld({ open: sampleOpen(events) });
		expect(text(up, all)).toMatch(/\d new below: press G to follow$/);
		const end = press(up, ['bottom'], all);
		expect(end.following).toBe(true);
		expect(text(end, all)).not.toContain('new below');
	});

	it('keeps its position while new events arrive', () => {
		const events = sampleFeed();
		const few = sampleWorld({ open: sampleOpen(events.slice(0, -1)) });
		const up = press(feedPane.start(few), ['page-up', 'up'], few);
		const all = sampleWorld({ open: sampleOpen(events) });
		expect(text(up, all).split('\n').slice(0, -1)).toEqual(text(up, few).split('\n').slice(0, -1));
	});

	it('expands an entry in place and collapses it again', () => {
		const world = sampleWorld();
		const call = sampleFeed().find(({ kind }) => kind === 'tool.pre');
		const at = (call && world.open?.feed.indexOf(call.event_id)) ?? 0;
		const start = press(feedPane.start(world), ['top', ...Array.from({ length: at }, () => 'down')], world);
		const closed = text(start, world);
		const open = press(start, ['toggle'], world);
		expect(text(open, world)).toContain('file_path: /project/src/health.ts');
		expect(text(press(open, ['toggle'], world), world)).toBe(closed);
	});

	it('shows the newest lines of streamed text with its author', () => {
		const base = sampleWorld();
		const streaming = new Map([
			['agent:root', `${'old line\n'.repeat(2_000)}newest words`],
			['subagent:a1', 'from below'],
		]);
		const world = { ...base, open: base.open && { ...base.open, streaming } };
		const shown = text(feedPane.start(world), world);
		expect(shown).toContain('newest words');
		expect(shown).toMatch(/│ {3}● Explore a1: from below$/);
		expect(shown.split('\n')).toHaveLength(ROOM.height);
		expect(text(press(feedPane.start(world), ['up'], world), world)).not.toContain('newest words');
	});

	it('opens the selected event in the detail view and copies to the clipboard', () => {
		const world = sampleWorld();
		const state = feedPane.start(world);
		const selected = world.open?.feed.at(selectedOf(state, world.open.feed))?.event;
		expect(feedPane.act(state, 'detail', world, ROOM).go).toEqual({ place: 'detail', event: selected?.event_id });
		expect(feedPane.act(state, 'copy', world, ROOM).wishes).toMatchObject([{ type: 'copy' }]);
	});

	it('forks at an agent message with an id and otherwise explains why it cannot', () => {
		const events = sampleFeed();
		const at = events.findLastIndex(({ kind }) => kind === 'agent.message');
		const fork = (world: World) => feedPane.act(feedPane.start(world), 'fork', world, ROOM).wishes;
		const reported = events.slice(0, at + 1).map((event, index) => (index === at ? withNativeId(event) : event));
		const open = sampleOpen(reported);
		expect(fork(sampleWorld({ open }))).toEqual([{ type: 'fork-session', id: open.id, upTo: 'm7' }]);
		const elsewhere = [
			sampleWorld({ open: sampleOpen(events.slice(0, at + 1)) }),
			sampleWorld({ open: sampleOpen(events.slice(0, at)) }),
		];
		for (const world of elsewhere)
			expect(fork(world)).toEqual([{ type: 'say', sentence: expect.stringContaining('Select a message of the agent') }]);
		expect(fork(sampleWorld({ open: { ...open, past: samplePast() } }))).toEqual([
			{ type: 'say', sentence: expect.stringContaining('is read-only') },
		]);
	});

	it('explains how to start a session when there is none', () => {
		const world = sampleWorld({ open: null, sessions: [] });
		expect(text(feedPane.start(world), world)).toBe('No session yet. Start one in another terminal with "roost claude".');
	});
});

function withNativeId(event: FeedEvent): FeedEvent {
	return event.kind === 'agent.message' ? { ...event, data: { ...event.data, native_id: 'm7' } } : event;
}

function press(state: FeedState, actions: readonly string[], world: World): FeedState {
	return actions.reduce((before, action) => feedPane.act(before, action, world, ROOM).state, state);
}

function text(state: FeedState, world: World): string {
	return toText(feedPane.draw(state, world, ROOM).rows, ROOM.width, ROOM.styles);
}
