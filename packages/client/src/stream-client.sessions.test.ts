// Following new lines only, the list of sessions, and whether the face is visible.
import { createStreamServer } from '@roost/testkit/rigs/api/stream-server';
import { createManualTimers } from '@roost/testkit/rigs/manual-timers';
import { sampleSession } from '@roost/testkit/rigs/record/sample-append';
import { describe, expect, it } from 'vitest';
import { createStreamClient } from './stream-client.ts';

function createWorld() {
	const server = createStreamServer();
	const timers = createManualTimers();
	const client = createStreamClient({
		openSocket: server.openSocket,
		now: timers.now,
		random: () => 0,
		timers,
		newId: () => 'id',
	});
	server.greet();
	return {
		server,
		client,
		received: (type: string) => server.received.filter((frame) => frame.type === type),
		followNow() {
			const seen: (number | string)[] = [];
			client.follow({ after: 'now' }, { onLine: ({ seqNo }) => seen.push(seqNo), onCaughtUp: () => seen.push('caught up') });
			return seen;
		},
		followSessions(query = {}) {
			const seen: string[] = [];
			const end = client.followSessions(query, { onRow: ({ id }) => seen.push(id), onCaughtUp: () => seen.push('caught up') });
			return { seen, end };
		},
		pushRow: (id: string) => server.push({ type: 'session-row', row: sampleSession(id) }),
		reconnect() {
			server.cut();
			const opened = server.opened();
			while (server.opened() === opened) timers.advance(500);
			server.greet();
		},
		[Symbol.asyncDispose]: () => client[Symbol.asyncDispose](),
	};
}

describe('following from now', () => {
	it('delivers no line from before, and every one after a reconnect', async () => {
		await using world = createWorld();
		for (const stream of ['s1', 's2', 's1']) world.server.append(stream);
		const seen = world.followNow();
		world.server.deliver();
		world.server.append('s1');
		world.server.deliver();
		world.server.cut();
		world.server.append('s2');
		world.reconnect();
		world.server.deliver();
		expect(seen).toEqual(['caught up', 4, 5, 'caught up']);
		expect(world.server.opened()).toBe(2);
	});

	it('starts again from now if the connection is lost before its place is known', async () => {
		await using world = createWorld();
		const seen = world.followNow();
		world.server.append('s1');
		world.reconnect();
		world.server.deliver();
		world.server.append('s1');
		world.server.deliver();
		expect(seen).toEqual(['caught up', 2]);
	});

	it('shares the subscription with a follower of everything', async () => {
		await using world = createWorld();
		for (const stream of ['s1', 's2']) world.server.append(stream);
		const fresh = world.followNow();
		const all: number[] = [];
		world.client.follow({ after: null }, { onLine: ({ seqNo }) => all.push(seqNo) });
		world.server.deliver();
		world.server.append('s1');
		world.server.deliver();
		expect(all).toEqual([1, 2, 3]);
		expect(fresh).toEqual(['caught up', 3]);
	});
});

describe('following the list of sessions', () => {
	it('delivers current and changed rows, and asks for them again on a new connection', async () => {
		await using world = createWorld();
		const { seen } = world.followSessions({ limit: 50 });
		world.pushRow('s1');
		world.server.push({ type: 'caught-up', sub: 'sessions' });
		world.pushRow('s2');
		world.reconnect();
		world.pushRow('s2');
		expect(seen).toEqual(['s1', 'caught up', 's2', 's2']);
		const frame = { type: 'subscribe-sessions', sub: 'sessions', limit: 50 };
		expect(world.received('subscribe-sessions')).toEqual([frame, frame]);
	});

	it('uses one subscription, with the highest limit, until the last follower ends', async () => {
		await using world = createWorld();
		const [one, two] = [world.followSessions({ limit: 5 }), world.followSessions()];
		world.pushRow('s1');
		two.end();
		two.end();
		world.pushRow('s2');
		expect(world.received('unsubscribe')).toEqual([]);
		one.end();
		world.pushRow('s3');
		world.reconnect();
		expect([one.seen, two.seen]).toEqual([['s1', 's2'], ['s1']]);
		expect(world.received('subscribe-sessions')).toMatchObject([{ limit: 5 }, { sub: 'sessions' }]);
		expect(world.received('subscribe-sessions')[1]).not.toHaveProperty('limit');
		expect(world.received('unsubscribe')).toEqual([{ type: 'unsubscribe', sub: 'sessions' }]);
	});
});

describe('visibility', () => {
	it('is sent when it changes, and again on a new connection while hidden', async () => {
		await using world = createWorld();
		world.client.setVisible(true);
		expect(world.received('presence')).toEqual([]);
		world.client.setVisible(false);
		world.client.setVisible(false);
		world.reconnect();
		world.client.setVisible(true);
		world.reconnect();
		expect(world.received('presence').map((frame) => 'visible' in frame && frame.visible)).toEqual([false, false, true]);
	});
});
