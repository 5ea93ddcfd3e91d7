import { streamId } from '@roost/protocol/ids';
import { createStreamServer } from '@roost/testkit/rigs/api/stream-server';
import { createManualTimers } from '@roost/testkit/rigs/manual-timers';
import { describe, expect, it } from 'vitest';
import type { StreamStatus } from './connection.ts';
import type { OpenSocket } from './socket.ts';
import { createStreamClient } from './stream-client.ts';

describe('waking a stream', () => {
	it.each([
		['a pong', '{"type":"pong"}'],
		['another frame', '{"type":"caught-up","sub":"s1"}'],
		['a frame of an unknown type', '{"type":"weather"}'],
	])('keeps a connection on which %s arrives', async (_, answer) => {
		await using world = connected();
		world.client.wake();
		expect(world.pings()).toBe(1);
		world.timers.advance(2_999);
		world.server.pushText(answer);
		world.timers.advance(10_000);
		expect(world.server.opened()).toBe(1);
		expect(world.status().state).toBe('live');
	});

	it('reopens a dead connection after 3 seconds, and follows on from the last line', async () => {
		await using world = connected();
		world.server.append('s1');
		world.server.deliver();
		world.client.wake();
		world.timers.advance(2_999);
		expect(world.server.opened()).toBe(1);
		world.timers.advance(1);
		expect(world.server.opened()).toBe(2);
		expect(world.server.stillOpen()).toBe(1);
		expect(world.status()).toMatchObject({ state: 'reconnecting', reason: 'The runner has gone silent.' });
		world.server.append('s1');
		world.server.greet();
		world.server.deliver();
		expect(world.offsets).toEqual([1, 2]);
	});

	it('reopens at once while it waits for the next attempt, and only then waits longer', async () => {
		await using world = connected();
		for (const wait of [500, 1_000, 2_000]) {
			world.server.cut();
			world.timers.advance(wait);
		}
		world.server.cut();
		expect(world.server.opened()).toBe(4);
		world.client.wake();
		expect(world.server.opened()).toBe(5);
		world.timers.advance(4_000);
		expect(world.server.opened()).toBe(5);
		world.server.cut();
		world.timers.advance(7_999);
		expect(world.server.opened()).toBe(5);
		world.timers.advance(1);
		expect(world.server.opened()).toBe(6);
	});

	it('sends one ping and opens one socket however often it is called', async () => {
		await using world = connected();
		wakeOften(world.client);
		expect(world.pings()).toBe(1);
		world.timers.advance(1_000);
		wakeOften(world.client);
		world.timers.advance(2_000);
		expect(world.pings()).toBe(1);
		expect(world.server.opened()).toBe(2);
		world.server.cut();
		wakeOften(world.client);
		expect(world.server.opened()).toBe(3);
	});

	it('pings again once the last one was answered', async () => {
		await using world = connected();
		world.client.wake();
		world.server.push({ type: 'pong' });
		world.client.wake();
		expect(world.pings()).toBe(2);
	});

	it('reopens a connection that was never greeted', async () => {
		await using world = createWorld();
		world.client.wake();
		world.timers.advance(3_000);
		expect(world.server.opened()).toBe(2);
		world.server.greet();
		world.timers.advance(3_000);
		expect(world.server.opened()).toBe(2);
	});

	it('reopens at once if the connection ends before the answer', async () => {
		await using world = connected();
		world.client.wake();
		world.server.cut();
		world.timers.advance(0);
		expect(world.server.opened()).toBe(2);
	});

	it('reopens at once if the ping cannot be sent', async () => {
		let broken = false;
		await using world = connected((open) => () => {
			const socket = open();
			const send = (text: string) => {
				if (broken) throw new Error('the socket is closing');
				socket.send(text);
			};
			return { ...socket, send };
		});
		broken = true;
		world.client.wake();
		world.timers.advance(0);
		expect(world.server.opened()).toBe(2);
	});

	it('does nothing after closing', async () => {
		const world = connected();
		world.client.wake();
		await world.client[Symbol.asyncDispose]();
		expect(world.timers.waiting()).toBe(0);
		wakeOften(world.client);
		world.timers.advance(60_000);
		expect(world.server.opened()).toBe(1);
		expect(world.pings()).toBe(1);
	});

	it('does nothing after closing while it waits for the next attempt', async () => {
		const world = connected();
		world.server.cut();
		await world.client[Symbol.asyncDispose]();
		wakeOften(world.client);
		expect(world.server.opened()).toBe(1);
	});

	it('does not reopen a connection to an incompatible runner', async () => {
		await using world = createWorld();
		world.server.greet({ protocol: 99 });
		wakeOften(world.client);
		world.timers.advance(60_000);
		expect(world.server.opened()).toBe(1);
		expect(world.status().state).toBe('incompatible');
	});
});

function connected(change?: (open: OpenSocket) => OpenSocket) {
	const world = createWorld(change);
	world.server.greet();
	return world;
}

function createWorld(change = (open: OpenSocket) => open) {
	const server = createStreamServer();
	const timers = createManualTimers();
	const statuses: StreamStatus[] = [];
	const offsets: number[] = [];
	const openSocket = change(server.openSocket);
	const client = createStreamClient({ openSocket, now: timers.now, random: () => 0, timers, newId: () => 'id' });
	client.onStatus((status) => statuses.push(status));
	client.follow({ stream: streamId.parse('s1'), after: 0 }, { onLine: ({ offset }) => offsets.push(offset) });
	return {
		server,
		timers,
		client,
		offsets,
		pings: () => server.received.filter(({ type }) => type === 'ping').length,
		status() {
			const last = statuses.at(-1);
			if (last === undefined) throw new Error('no status was reported');
			return last;
		},
		[Symbol.asyncDispose]: () => client[Symbol.asyncDispose](),
	};
}

function wakeOften({ wake }: { wake(): void }): void {
	for (let times = 0; times < 5; times += 1) wake();
}
