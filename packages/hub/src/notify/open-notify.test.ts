// Notifications over real HTTP on loopback, with a clock that only the test moves.
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { AskState } from '@roost/protocol/ask';
import { askId, runnerId } from '@roost/protocol/ids';
import { ok } from '@roost/protocol/result';
import { sampleRecord } from '@roost/testkit/rigs/hub/sample-record';
import { createManualTimers } from '@roost/testkit/rigs/manual-timers';
import { sampleAsk } from '@roost/testkit/rigs/record/sample-append';
import { waitFor, waitForLength } from '@roost/testkit/rigs/wait-for';
import { describe, expect, it } from 'vitest';
import type { KnownRunner } from '../runners/known-runners.ts';
import { notifyConfig, type Webhook } from './config.ts';
import { openNotify } from './open-notify.ts';
import { WAIT_MS } from './plan-notifications.ts';
import { MOST_WAITING, RETRIES } from './sender.ts';

const LAPTOP = runnerId.parse('r1');
const START = Date.parse('2026-11-15T12:00:00Z');

type Reply = { status: number; headers?: Record<string, string> } | 'silence' | 'cut';

async function startReceiver() {
	const received: { path: string | undefined; type: string | undefined; body: unknown }[] = [];
	const replies: Reply[] = [];
	let always: Reply = { status: 200 };
	const server = createServer((request, response) => {
		let text = '';
		request.setEncoding('utf8').on('data', (part) => {
			text += part;
		});
		request.on('end', () => {
			received.push({ path: request.url, type: request.headers['content-type'], body: JSON.parse(text) });
			const reply = replies.shift() ?? always;
			if (reply === 'cut') request.socket.destroy();
			else if (reply !== 'silence') response.writeHead(reply.status, reply.headers).end('x'.repeat(100));
		});
	});
	server.listen(0, '127.0.0.1');
	await once(server, 'listening');
	return {
		url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
		received,
		/** The next replies, in order. */
		replies,
		answer: (reply: Reply) => {
			always = reply;
		},
		async [Symbol.asyncDispose]() {
			server.closeAllConnections();
			await new Promise((resolve) => server.close(resolve));
		},
	};
}

async function openWorld({
	webhook = {},
	config = {},
	timeoutMs = 10_000,
}: {
	webhook?: Partial<Webhook> | object;
	config?: object;
	timeoutMs?: number;
} = {}) {
	await using stack = new AsyncDisposableStack();
	const receiver = stack.use(await startReceiver());
	const timers = createManualTimers(START);
	const logged: Record<string, unknown>[] = [];
	const open = new Set<string>();
	let isWatched = false;
	const webhooks = [{ url: `${receiver.url}/hook/secret`, format: 'json', ...webhook }];
	const notify = stack.use(
		openNotify({
			config: notifyConfig.parse({ webhooks, ...config }),
			rows: { asks: async (_, { id = '' }) => ok(open.has(id) ? [sampleAsk(id)] : []) },
			isWatched: () => isWatched,
			linkTo: ({ runner, session, ask }) => `https://hub.example/${runner}/${ask === undefined ? session : `?ask=${ask}`}`,
			timers,
			now: timers.now,
			log: (line) => logged.push(line),
			timeoutMs,
		}),
	);
	const runner = { id: LAPTOP, row: { name: 'laptop <!channel>' } } as KnownRunner;
	const owned = stack.move();
	return {
		...receiver,
		timers,
		logged,
		notify,
		watch: (value: boolean) => {
			isWatched = value;
		},
		ask(id: string, state: AskState = 'pending', isLive = true) {
			if (state === 'pending') open.add(id);
			else open.delete(id);
			notify.take(runner, { asks: [{ ...sampleAsk(id), id: askId.parse(id), state }] }, isLive);
		},
		async fail(isLive = true, status: 'failed' | 'completed' = 'failed') {
			const counters = { tool_uses: 0, tool_failures: 0, permission_requests: 0, blocks: 0 };
			await using record = await sampleRecord('r1', [
				{ session: 's1', kind: 'run.end', data: { status, counters, reason: 'hammer broke' } },
			]);
			notify.take(runner, { entries: record.lines }, isLive);
		},
		/** Moves the clock until this many arrived. */
		async arrived(count: number) {
			await waitFor(
				() => {
					if (receiver.received.length < count) timers.advance(60_000);
					return receiver.received.length >= count ? true : undefined;
				},
				{ what: `${count} notifications`, seen: () => ({ received: receiver.received, logged }), everyMs: 2 },
			);
			expect(receiver.received).toHaveLength(count);
			return receiver.received.map(({ body }) => body);
		},
		[Symbol.asyncDispose]: () => owned.disposeAsync(),
	};
}

describe('notifications of a hub', () => {
	it('carry ids, a count, the name of the runner and a link, and nothing of a command', async () => {
		await using world = await openWorld();
		world.ask('s1.1');
		world.timers.advance(WAIT_MS - 1);
		expect(world.received).toEqual([]);
		world.timers.advance(1);
		await waitForLength(world.received, 1);
		const runner = { id: 'r1', name: 'laptop <!channel>' };
		const link = 'https://hub.example/r1/?ask=s1.1';
		expect(world.received[0]).toEqual({
			path: '/hook/secret',
			type: 'application/json',
			body: { kind: 'requests', runner, session: 'a', ask: 's1.1', count: 1, link },
		});
		await world.fail();
		await waitForLength(world.received, 2);
		expect(world.received[1]?.body).toEqual({
			kind: 'run-failed',
			runner,
			session: 's1',
			run: 's1:R1',
			link: 'https://hub.example/r1/s1',
		});
		expect(JSON.stringify(world.received)).not.toContain('hammer');
	});

	it('are a message to a topic for ntfy', async () => {
		await using world = await openWorld({ webhook: { format: 'ntfy', topic: 'alerts' } });
		world.ask('s1.1');
		world.ask('s1.2');
		expect(await world.arrived(1)).toEqual([
			{
				topic: 'alerts',
				title: 'Waiting for approval on laptop <!channel>',
				message: '2 pending requests: s1.1',
				click: 'https://hub.example/r1/?ask=s1.1',
				priority: 4,
			},
		]);
	});

	it('are a text for Slack, in which a name notifies no channel', async () => {
		await using world = await openWorld({ webhook: { format: 'slack' } });
		await world.fail();
		expect(await world.arrived(1)).toEqual([
			{ text: '*Run failed on laptop &lt;!channel&gt;*\nSession s1, run s1:R1\n<https://hub.example/r1/s1>' },
		]);
	});

	it('are not sent of what was answered or watched, of backfill, or of a run that completed', async () => {
		await using world = await openWorld();
		world.ask('s1.1');
		world.ask('s1.1', 'allowed');
		world.ask('s1.2', 'pending', false);
		await world.fail(false);
		await world.fail(true, 'completed');
		expect(world.timers.waiting()).toBe(0);
		world.watch(true);
		world.ask('s1.3');
		world.timers.advance(WAIT_MS);
		await waitFor(() => (world.timers.waiting() === 0 ? true : undefined), { what: 'the end of the plan' });
		world.watch(false);
		world.ask('s1.4');
		expect(await world.arrived(1)).toMatchObject([{ ask: 's1.4' }]);
	});

	it('wait for the end of the quiet hours', async () => {
		await using world = await openWorld({ config: { quietHours: '11:00-13:00', timeZone: 'UTC' } });
		world.ask('s1.1');
		world.ask('s1.2');
		world.timers.advance(WAIT_MS);
		await waitFor(() => (world.timers.waiting() === 1 ? true : undefined), { what: 'the timer for the end' });
		// Answered at another node of the hub.
		world.ask('s1.1', 'allowed');
		world.timers.advance(3_600_000 - WAIT_MS - 1);
		expect(world.received).toEqual([]);
		world.timers.advance(1);
		await waitForLength(world.received, 1);
		expect(world.received[0]?.body).toMatchObject({ ask: 's1.2', count: 1 });
		expect(world.timers.now()).toBe(Date.parse('2026-11-15T13:00:00Z'));
	});

	it('are tried again after a failure that may pass, with growing delays', async () => {
		await using world = await openWorld();
		world.replies.push({ status: 503 }, 'cut', { status: 429, headers: { 'retry-after': '30' } });
		await world.fail();
		for (const [count, delay] of [
			[1, 2_000],
			[2, 8_000],
			[3, 30_000],
		] as const) {
			await waitFor(() => (world.timers.waiting() === 1 ? true : undefined), { what: 'a delay' });
			expect(world.received).toHaveLength(count);
			world.timers.advance(delay - 1);
			expect(world.timers.waiting()).toBe(1);
			world.timers.advance(1);
			await waitForLength(world.received, count + 1);
		}
		expect(world.logged).toEqual([]);
	});

	it('are dropped with one line after the last try, and the next one is sent', async () => {
		await using world = await openWorld();
		world.answer({ status: 500 });
		await world.fail();
		await world.arrived(1 + RETRIES);
		await waitForLength(world.logged, 1);
		expect(world.logged).toEqual([
			{ level: 'warn', msg: 'a notification was not delivered', host: new URL(world.url).host, why: 'it answered with 500' },
		]);
		world.answer({ status: 200 });
		world.ask('s1.1');
		await world.arrived(2 + RETRIES);
		expect(JSON.stringify(world.logged)).not.toContain('secret');
	});

	it('follow no redirect, and are not repeated when they are refused', async () => {
		await using other = await startReceiver();
		await using world = await openWorld();
		world.replies.push({ status: 307, headers: { location: other.url } }, { status: 404 });
		await world.fail();
		await waitForLength(world.logged, 1);
		world.ask('s1.1');
		await world.arrived(2);
		await waitForLength(world.logged, 2);
		expect(world.logged.map(({ why }) => why)).toEqual(['it answered with 307', 'it answered with 404']);
		expect(other.received).toEqual([]);
	});

	it('end a try without an answer', async () => {
		await using world = await openWorld({ timeoutMs: 20 });
		world.replies.push('silence');
		await world.fail();
		await world.arrived(2);
		expect(world.logged).toEqual([]);
		world.answer('silence');
		world.ask('s1.1');
		await world.arrived(3 + RETRIES);
		await waitForLength(world.logged, 1);
		expect(world.logged[0]).toMatchObject({ why: 'it did not answer within 20 ms' });
	});

	it('are bounded in number while a webhook does not answer, the oldest are dropped', async () => {
		await using world = await openWorld();
		world.answer('silence');
		await world.fail();
		await waitForLength(world.received, 1);
		for (let at = 0; at < MOST_WAITING + 3; at += 1) {
			world.ask(`s1.${at}`);
			world.timers.advance(WAIT_MS);
			await waitFor(() => (world.timers.waiting() === 0 ? true : undefined), { what: 'a notification in the queue', everyMs: 0 });
		}
		await waitForLength(world.logged, 3);
		expect(new Set(world.logged.map(({ why }) => why))).toEqual(new Set(['too many are waiting']));
	});

	it('end with the hub, also in the middle of a try', async () => {
		const world = await openWorld();
		world.answer('silence');
		await world.fail();
		await waitForLength(world.received, 1);
		await world.notify[Symbol.asyncDispose]();
		world.ask('s1.1');
		world.timers.advance(60_000);
		expect(world.timers.waiting()).toBe(0);
		expect(world.logged).toEqual([]);
		await world[Symbol.asyncDispose]();
	});
});
