import type { PushMessage } from '@roost/protocol/api/push';
import { askId } from '@roost/protocol/ids';
import { createManualTimers } from '@roost/testkit/rigs/manual-timers';
import { expect, it } from 'vitest';
import { ANNOUNCE_MS, announceAsks } from './announce-asks.ts';

it('announces requests once, after a moment, with their number and the oldest', () => {
	const world = openWorld();
	world.change('a');
	world.timers.advance(ANNOUNCE_MS - 1);
	world.change('a', 'b');
	expect(world.sent).toEqual([]);
	world.timers.advance(ANNOUNCE_MS);
	expect(world.sent).toEqual([{ count: 2, ask: 'a' }]);
	world.change('a', 'b');
	world.timers.advance(ANNOUNCE_MS);
	expect(world.sent).toHaveLength(1);
	world.change('a', 'b', 'c');
	world.timers.advance(ANNOUNCE_MS);
	expect(world.sent).toEqual([expect.anything(), { count: 3, ask: 'a' }]);
});

it('does not announce a request that is answered within the moment', () => {
	const world = openWorld();
	world.change('a');
	world.timers.advance(ANNOUNCE_MS / 2);
	world.change();
	world.timers.advance(ANNOUNCE_MS);
	expect(world.sent).toEqual([]);
});

it('announces nothing while a face is visible, and nothing that was seen', () => {
	const world = openWorld();
	world.watched(true);
	world.change('a');
	world.timers.advance(ANNOUNCE_MS);
	world.watched(false);
	world.change('a');
	world.timers.advance(ANNOUNCE_MS);
	expect(world.sent).toEqual([]);
	world.change();
	expect(world.sent).toEqual([]);
});

it('closes the notification when the last announced request is answered, and not before', () => {
	const world = openWorld();
	world.change('a', 'b');
	world.timers.advance(ANNOUNCE_MS);
	world.change('b');
	expect(world.sent).toEqual([{ count: 2, ask: 'a' }]);
	world.change();
	expect(world.sent).toEqual([{ count: 2, ask: 'a' }, { count: 0 }]);
	world.change();
	expect(world.sent).toHaveLength(2);
});

it('announces what is pending when it starts', () => {
	const world = openWorld('a');
	world.timers.advance(ANNOUNCE_MS);
	expect(world.sent).toEqual([{ count: 1, ask: 'a' }]);
});

it('stops when it is closed', () => {
	const world = openWorld('a');
	world.close();
	world.timers.advance(ANNOUNCE_MS);
	expect([world.sent, world.timers.waiting()]).toEqual([[], 0]);
});

function openWorld(...first: string[]) {
	const timers = createManualTimers();
	const sent: Omit<PushMessage, 'runner'>[] = [];
	const toAsks = (ids: string[]) => ids.map((id) => ({ id: askId.parse(id) }));
	let pending = toAsks(first);
	let isWatched = false;
	let notice = () => {};
	const announcing = announceAsks({
		pending: () => pending,
		onAsks(handler) {
			notice = handler;
			return () => {
				notice = () => {};
			};
		},
		isWatched: () => isWatched,
		send: (message) => void sent.push(message),
		timers,
	});
	return {
		timers,
		sent,
		change(...ids: string[]) {
			pending = toAsks(ids);
			notice();
		},
		watched(is: boolean) {
			isWatched = is;
		},
		close: () => announcing[Symbol.dispose](),
	};
}
