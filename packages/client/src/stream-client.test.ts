import type { ServerFrame } from '@roost/protocol/api/stream-frames';
import { actorId, askId, eventId, runnerId, sessionId, streamId } from '@roost/protocol/ids';
import type { StoredLine } from '@roost/protocol/stored-line';
import { createStreamServer } from '@roost/testkit/rigs/api/stream-server';
import { createManualTimers } from '@roost/testkit/rigs/manual-timers';
import { sampleEvent } from '@roost/testkit/rigs/record/sample-append';
import { samplePermission } from '@roost/testkit/rigs/tui/sample-world';
import { unwrap, unwrapError } from '@roost/testkit/rigs/unwrap';
import { describe, expect, it } from 'vitest';
import type { StreamStatus } from './connection.ts';
import { createStreamClient, type StreamClientDeps } from './stream-client.ts';

const S1 = streamId.parse('s1');
const LOG = { runnerId: runnerId.parse('runner-1'), epoch: 1 };
const ALLOWED = samplePermission({ id: askId.parse('a1'), state: 'allowed' });
const approval = { id: sessionId.parse('s1'), askId: askId.parse('a1'), nonce: 'n', decision: 'allow' } as const;

describe('following', () => {
	it('receives stored lines, then caught-up, then new lines', async () => {
		await using world = connected();
		world.append('s1', 's2', 's1');
		const seen = world.follow({ stream: S1, after: 0 });
		world.server.deliver();
		expect(seen).toEqual([1, 2, 'caught up']);
		world.append('s1');
		world.server.deliver();
		expect(seen).toEqual([1, 2, 'caught up', 3]);
	});

	it('resumes all streams from a cursor that names the runner and the epoch', async () => {
		await using world = connected();
		world.append('s1', 's2');
		const seen = world.follow({ after: null });
		world.server.deliver();
		world.server.cut();
		world.comeBack();
		expect(world.received('subscribe-all').map((frame) => 'after' in frame && frame.after)).toEqual([null, { ...LOG, seqNo: 2 }]);
		world.append('s1');
		world.server.deliver();
		expect(seen).toEqual([1, 2, 'caught up', 3, 'caught up']);
	});

	it.each([
		['runner', { runnerId: runnerId.parse('runner-2'), epoch: 1, seqNo: 1 }],
		['epoch', { ...LOG, epoch: 2, seqNo: 1 }],
	])('is rejected from a cursor of another %s, and accepted from 0', async (_, after) => {
		await using world = createWorld();
		world.append('s1', 's2');
		const [refused, whole] = [world.follow({ after }), world.follow({ after: null })];
		world.server.greet();
		world.server.deliver();
		expect(refused).toEqual([expect.stringContaining('runner-1, epoch 1. Start again from 0')]);
		expect(whole).toEqual([1, 2, 'caught up']);
		expect(world.follow({ after })).toEqual([expect.stringContaining('Start again from 0')]);
	});

	it('follows all streams by seqNo', async () => {
		await using world = connected();
		world.append('s1', 's2', 's1');
		const seen = world.follow({ after: { ...LOG, seqNo: 1 } });
		world.server.deliver();
		expect(seen).toEqual([2, 3, 'caught up']);
	});

	it('subscribes once connected if it began earlier', async () => {
		await using world = createWorld();
		world.append('s1');
		const seen = world.follow({ stream: S1, after: 0 });
		expect(world.server.received).toEqual([]);
		world.server.greet();
		world.server.deliver();
		expect(seen).toEqual([1, 'caught up']);
	});

	it('continues from the last line after a lost connection', async () => {
		await using world = connected();
		world.append('s1', 's1', 's1');
		const seen = world.follow({ stream: S1, after: 0 });
		world.server.deliver(2);
		world.reconnect();
		expect(world.server.received.at(-1)).toMatchObject({ type: 'subscribe', stream: 's1', after: 2 });
		world.server.deliver();
		expect(seen).toEqual([1, 2, 3, 'caught up']);
	});

	it('serves two followers of one stream from their own offsets over one subscription', async () => {
		await using world = connected();
		world.append('s1', 's1', 's1');
		const first = world.follow({ stream: S1, after: 2 });
		world.server.deliver();
		const second = world.follow({ stream: S1, after: 0 });
		world.append('s1');
		world.server.deliver();
		expect(first.filter(Number.isInteger)).toEqual([3, 4]);
		expect(second.filter(Number.isInteger)).toEqual([1, 2, 3, 4]);
		expect(world.received('subscribe').length - world.received('unsubscribe').length).toBe(1);
	});

	it('ends the subscription with its last follower', async () => {
		await using world = connected();
		const lines: StoredLine[] = [];
		const end = world.client.follow({ stream: S1, after: 0 }, { onLine: (line) => lines.push(line) });
		end();
		end();
		world.append('s1');
		world.server.deliver();
		expect(lines).toEqual([]);
		expect(world.received('unsubscribe')).toHaveLength(1);
		world.reconnect();
		expect(world.received('subscribe')).toHaveLength(1);
	});

	it('continues for other followers when one ends', async () => {
		await using world = connected();
		const end = world.client.follow({ stream: S1, after: 0 }, { onLine: () => {} });
		const other = world.follow({ stream: S1, after: 0 });
		end();
		world.append('s1');
		world.server.deliver();
		expect(other).toContain(1);
	});

	it('delivers nothing more to a follower that ended, even during a line', async () => {
		await using world = connected();
		const late: number[] = [];
		let end = () => {};
		world.client.follow({ stream: S1, after: 0 }, { onLine: () => end() });
		end = world.client.follow({ stream: S1, after: 0 }, { onLine: ({ offset }) => late.push(offset) });
		world.append('s1');
		world.server.deliver();
		expect(late).toEqual([]);
	});

	it('accepts an early line of another subscription during a replay, without reconnecting', async () => {
		await using world = connected();
		world.append('s1', 's1');
		world.follow({ after: null });
		world.server.deliver();
		const seen = world.follow({ stream: S1, after: 0 });
		world.append('s1');
		world.pushLine(world.server.log[2]);
		world.server.deliver();
		expect(seen).toEqual([1, 2, 3, 'caught up']);
		world.append('s1', 's1');
		world.server.push({ type: 'lagged', sub: 's2', after: 3 });
		world.server.push({ type: 'lagged', sub: 's1', after: 3 });
		world.pushLine(world.server.log[4]);
		world.server.deliver();
		expect(seen).toEqual([1, 2, 3, 'caught up', 4, 5]);
		expect(world.server.opened()).toBe(1);
		expect(world.status().state).toBe('live');
	});

	it('handles a server that replays after the client lagged', async () => {
		await using world = connected();
		world.append('s1', 's1', 's1');
		const seen = world.follow({ stream: S1, after: 0 });
		world.server.deliver();
		world.server.lag(2);
		world.append('s1');
		world.server.deliver();
		expect(seen).toEqual([1, 2, 3, 'caught up', 4, 'caught up']);
	});

	it('reconnects from the last line when a line is missing', async () => {
		await using world = connected();
		world.append('s1');
		const seen = world.follow({ stream: S1, after: 0 });
		world.server.deliver();
		world.append('s1', 's1');
		world.pushLine(world.server.log[2]);
		world.pushLine(world.server.log[1]);
		expect(seen).toEqual([1, 'caught up']);
		expect(world.status()).toMatchObject({ state: 'reconnecting', reason: expect.stringContaining('missing') });
		expect(world.server.stillOpen()).toBe(0);
		world.comeBack();
		world.server.deliver();
		expect(seen).toEqual([1, 'caught up', 2, 3, 'caught up']);
	});

	it('reconnects when caught-up comes too early', async () => {
		await using world = connected();
		const seen = world.follow({ stream: S1, after: 0 });
		world.append('s1', 's1');
		world.pushLine(world.server.log[1]);
		world.server.push({ type: 'caught-up', sub: 's1' });
		world.comeBack();
		world.server.deliver();
		expect(seen).toEqual([1, 2, 'caught up']);
	});
});

describe('asks and deltas', () => {
	it('reach all listeners, until they unsubscribe', async () => {
		await using world = connected();
		const received: string[] = [];
		const endAsks = world.client.onAsk((ask) => received.push(ask.id));
		world.client.onDelta((event) => received.push(event.kind));
		world.server.push(askFrame());
		world.server.push({ type: 'delta', event: sampleEvent('s1', 1) });
		endAsks();
		world.server.push(askFrame());
		expect(received).toEqual(['a1', 'user.prompt']);
	});
});

describe('unsubscribed listener', () => {
	it('receives nothing more, even during an event', async () => {
		await using world = connected();
		const late: string[] = [];
		let end = () => {};
		world.client.onAsk(() => end());
		end = world.client.onAsk((ask) => late.push(ask.id));
		world.server.push(askFrame());
		expect(late).toEqual([]);
	});
});

describe('handler that throws', () => {
	it('breaks neither the stream nor the other handlers, and its error is reported', async () => {
		const errors: unknown[] = [];
		await using world = connected({ onHandlerError: (error) => errors.push(error) });
		world.append('s1', 's1');
		const bug = new Error('a bug of the face');
		const fail = () => {
			throw bug;
		};
		world.client.onAsk(fail);
		world.client.onDelta(fail);
		world.client.onStatus(fail);
		world.client.follow({ stream: S1, after: 0 }, { onLine: fail, onCaughtUp: fail });
		const seen = world.follow({ stream: S1, after: 0 });
		world.server.push(askFrame());
		world.server.push({ type: 'delta', event: sampleEvent('s1', 1) });
		world.server.deliver();
		expect(seen).toEqual([1, 2, 'caught up']);
		expect(world.status().state).toBe('live');
		expect(errors).toEqual(Array(6).fill(bug));
	});

	it('has its error rethrown outside the stream without an error handler', async () => {
		await using world = connected();
		world.client.onAsk(() => {
			throw new Error('a bug of the face');
		});
		world.server.push(askFrame());
		expect(() => world.timers.advance(0)).toThrow('a bug of the face');
	});
});

describe('connection', () => {
	it('reports its status at once and at every change', async () => {
		await using world = createWorld();
		expect(world.statuses).toEqual([{ state: 'connecting', since: 0 }]);
		world.timers.advance(5);
		world.server.greet();
		world.timers.advance(5);
		world.server.cut('the runner left');
		expect(world.statuses.slice(1)).toEqual([
			{ state: 'live', since: 5, version: '0.1.0' },
			{ state: 'reconnecting', since: 10, reason: 'the runner left' },
		]);
		world.timers.advance(500);
		world.server.cut('nobody there');
		expect(world.status()).toEqual({ state: 'reconnecting', since: 10, reason: 'nobody there' });
	});

	it('waits longer after each failure, and resets only after a connection that lasted', async () => {
		await using world = createWorld();
		const waits = () => {
			const opened = world.server.opened();
			let waited = 0;
			for (; world.server.opened() === opened; waited += 500) world.timers.advance(500);
			return waited;
		};
		const failing = [1, 2, 3, 4, 5, 6, 7].map(() => {
			world.server.cut();
			return waits();
		});
		expect(failing).toEqual([500, 1_000, 2_000, 4_000, 8_000, 15_000, 15_000]);
		world.server.greet();
		world.server.cut();
		expect(waits()).toBe(15_000);
		world.server.greet();
		world.stayConnected(30_000);
		world.server.cut();
		expect(waits()).toBe(500);
	});

	it('reports its own reason if the socket has none', async () => {
		await using world = createWorld();
		world.server.cut('');
		expect(world.status().reason).toContain('cannot be reached');
		world.comeBack();
		world.server.cut('');
		expect(world.status().reason).toContain('was lost');
	});

	it('reconnects when sending fails', async () => {
		await using world = createWorld((server) => ({
			openSocket: () => ({
				...server.openSocket(),
				send: () => {
					throw new Error('the socket is closing');
				},
			}),
		}));
		world.server.greet();
		expect(world.status().state).toBe('live');
		world.follow({ stream: S1, after: 0 });
		expect(world.status()).toMatchObject({ state: 'reconnecting', reason: expect.stringContaining('the socket is closing') });
	});

	it('retries when the socket cannot be opened', async () => {
		let fails = true;
		await using world = createWorld((server) => ({
			openSocket: () => {
				if (fails) throw new Error('bad address');
				return server.openSocket();
			},
		}));
		expect(world.status()).toMatchObject({ state: 'connecting', reason: expect.stringContaining('bad address') });
		fails = false;
		world.timers.advance(1_000);
		world.server.greet();
		expect(world.status().state).toBe('live');
	});

	it('pings, and drops a runner that is silent for two intervals', async () => {
		await using world = connected();
		world.timers.advance(15_000);
		expect(world.received('ping')).toHaveLength(1);
		world.timers.advance(5);
		world.server.push({ type: 'pong' });
		world.timers.advance(29_999);
		expect(world.status().state).toBe('live');
		world.timers.advance(1);
		expect(world.status()).toMatchObject({ state: 'reconnecting', reason: 'The runner has gone silent.' });
		expect(world.server.stillOpen()).toBe(0);
	});

	it('drops an attempt without a greeting', async () => {
		await using world = createWorld();
		world.timers.advance(31_000);
		expect(world.server.opened()).toBe(2);
	});

	it('ignores a socket that it closed', async () => {
		await using world = connected();
		const seen = world.follow({ stream: S1, after: 0 });
		world.append('s1');
		world.timers.advance(30_000);
		world.pushLine(world.server.log[0]);
		world.server.greet();
		world.server.cut('closed at last');
		expect(seen).toEqual([]);
		expect(world.status()).toMatchObject({ state: 'reconnecting', reason: 'The runner has gone silent.' });
	});

	it.each([4, 2, 0])('reports protocol %i as incompatible, and does not retry', async (protocol) => {
		await using world = createWorld();
		const waiting = world.client.approve(approval);
		world.server.greet({ protocol });
		world.timers.advance(3_600_000);
		expect(world.server.opened()).toBe(1);
		expect(world.status()).toMatchObject({ state: 'incompatible', reason: expect.stringContaining(`protocol ${protocol}`) });
		expect(unwrapError(await waiting).code).toBe('cannot_start');
		expect(unwrapError(await world.client.approve(approval)).code).toBe('cannot_start');
	});

	it('does not follow another runner with the cursors of the first', async () => {
		await using world = connected();
		world.server.cut();
		world.timers.advance(1_000);
		world.server.greet({ runnerId: 'runner-2' });
		expect(world.status()).toMatchObject({ state: 'incompatible', reason: expect.stringContaining('Another runner') });
	});

	it('gives up after the record was restored, because its cursors are invalid', async () => {
		await using world = connected();
		world.server.cut();
		const opened = world.server.opened();
		while (world.server.opened() === opened) world.timers.advance(500);
		world.server.greet({ epoch: 2 });
		expect(world.status()).toMatchObject({ state: 'incompatible', reason: expect.stringContaining('restored from a backup') });
	});

	it('stops at a frame it cannot parse', async () => {
		await using world = connected();
		world.server.pushText('{"type":"line","line":{"v":2}}');
		expect(world.status().state).toBe('incompatible');
	});

	it('ignores frames of an unknown type', async () => {
		await using world = connected();
		world.server.pushText('{"type":"weather"}');
		expect(world.status().state).toBe('live');
	});

	it('retries when another program answers', async () => {
		await using world = createWorld();
		world.server.pushText('welcome');
		expect(world.status()).toMatchObject({ state: 'connecting', reason: expect.stringContaining('is not a Roost runner') });
		world.timers.advance(1_000);
		expect(world.server.opened()).toBe(2);
	});

	it('reports errors of the runner', async () => {
		await using world = connected();
		world.server.push({ type: 'error', error: { code: 'bad_request', message: 'Too many subscriptions.' } });
		expect(world.status()).toMatchObject({ state: 'live', reason: 'Too many subscriptions.' });
	});
});

describe('commands', () => {
	it('return the result of the runner', async () => {
		await using world = connected();
		const first = world.client.approve(approval);
		const second = world.client.answer({ id: approval.id, askId: askId.parse('a2'), nonce: 'n', answers: { q: 'x' } });
		expect(world.server.received).toMatchObject([
			{ type: 'call', operation: 'asks.approve', id: 'id-1' },
			{ type: 'call', operation: 'asks.answer', id: 'id-2' },
		]);
		world.server.push({ type: 'result', id: 'id-2', ok: false, error: { code: 'conflict', message: 'Decided already.' } });
		world.server.push({ type: 'result', id: 'id-1', ok: true, value: ALLOWED });
		expect(unwrap(await first)).toMatchObject({ id: 'a1', state: 'allowed' });
		expect(unwrapError(await second)).toMatchObject({ code: 'conflict', message: 'Decided already.' });
	});

	it('fail when the result has an unexpected form', async () => {
		await using world = connected();
		const odd = world.client.approve(approval);
		world.server.push({ type: 'result', id: 'id-1', ok: true, value: { state: 'allowed' } });
		expect(unwrapError(await odd)).toMatchObject({ code: 'internal', message: expect.stringContaining('another form') });
	});

	it('return the winning answer if another was first', async () => {
		await using world = connected();
		const late = world.client.approve(approval);
		const winner = { state: 'denied', verdict: { type: 'deny', message: 'no' }, principal: 'lea@cli' } as const;
		world.server.push({ type: 'result', id: 'id-1', ok: false, error: { code: 'conflict', message: 'Too late.' }, winner });
		expect(await late).toMatchObject({ ok: false, winner });
	});

	it('fail when the runner could not parse them', async () => {
		await using world = connected();
		const refused = world.client.approve(approval);
		world.server.push({ type: 'error', id: 'id-1', error: { code: 'bad_request', message: 'frame.body: no.' } });
		expect(unwrapError(await refused)).toMatchObject({ code: 'bad_request' });
	});

	it('are sent again under the same id after a lost connection, until answered', async () => {
		await using world = connected();
		const waiting = world.client.approve(approval);
		world.reconnect();
		world.server.push({ type: 'result', id: 'id-1', ok: true, value: ALLOWED });
		unwrap(await waiting);
		world.reconnect();
		expect(world.received('call').map((frame) => 'id' in frame && frame.id)).toEqual(['id-1', 'id-1']);
	});

	it('wait until connected', async () => {
		await using world = createWorld();
		const waiting = world.client.approve(approval);
		expect(world.received('call')).toEqual([]);
		world.server.greet();
		world.server.push({ type: 'result', id: 'id-1', ok: true, value: ALLOWED });
		unwrap(await waiting);
	});

	it('are limited, and one too many is rejected at once', async () => {
		await using world = createWorld();
		const results = Array.from({ length: 65 }, () => world.client.approve(approval));
		expect(unwrapError((await results.at(-1)) ?? unreachable()).code).toBe('too_large');
		await world.client[Symbol.asyncDispose]();
		expect((await Promise.all(results)).filter((result) => !result.ok && result.error.code === 'timed_out')).toHaveLength(64);
	});
});

describe('closing', () => {
	it('ends pending calls, stops every timer, and can be repeated', async () => {
		const world = connected();
		const seen = world.follow({ stream: S1, after: 0 });
		const waiting = world.client.approve(approval);
		await world.client[Symbol.asyncDispose]();
		await world.client[Symbol.asyncDispose]();
		expect(unwrapError(await waiting).code).toBe('timed_out');
		expect(unwrapError(await world.client.approve(approval)).code).toBe('timed_out');
		world.append('s1');
		world.pushLine(world.server.log[0]);
		expect(seen).toEqual([]);
		expect(world.timers.waiting()).toBe(0);
		expect(world.server.stillOpen()).toBe(0);
	});

	it('also stops the delivery of the current line', async () => {
		const world = connected();
		world.append('s1');
		const onLine = () => void world.client[Symbol.asyncDispose]();
		world.client.follow({ stream: S1, after: 0 }, { onLine });
		const seen = world.follow({ stream: S1, after: 0 });
		world.server.deliver();
		expect(seen).toEqual([]);
	});

	it('also cancels the next connection attempt', async () => {
		const world = connected();
		world.server.cut();
		await world.client[Symbol.asyncDispose]();
		world.timers.advance(60_000);
		expect(world.server.opened()).toBe(1);
	});
});

type Server = ReturnType<typeof createStreamServer>;

function connected(over: Partial<StreamClientDeps> = {}) {
	const world = createWorld(() => over);
	world.server.greet();
	return world;
}

function createWorld(over: (server: Server) => Partial<StreamClientDeps> = () => ({})) {
	const server = createStreamServer();
	const timers = createManualTimers();
	const statuses: StreamStatus[] = [];
	let ids = 0;
	const newId = () => {
		ids += 1;
		return `id-${ids}`;
	};
	const deps = { openSocket: server.openSocket, now: timers.now, random: () => 0, timers, newId };
	const client = createStreamClient({ ...deps, ...over(server) });
	client.onStatus((status) => statuses.push(status));
	const comeBack = () => {
		const opened = server.opened();
		while (server.opened() === opened) timers.advance(500);
		server.greet();
	};
	return {
		server,
		timers,
		client,
		statuses,
		comeBack,
		status: () => statuses.at(-1) ?? unreachable(),
		append: (...streams: string[]) => streams.forEach(server.append),
		received: (type: string) => server.received.filter((frame) => frame.type === type),
		pushLine: (line: StoredLine | undefined) => server.push({ type: 'line', line: line ?? unreachable() }),
		follow(from: Parameters<typeof client.follow>[0]) {
			const seen: (number | string)[] = [];
			client.follow(from, {
				onLine: (line) => seen.push('stream' in from ? line.offset : line.seqNo),
				onCaughtUp: () => seen.push('caught up'),
				onRefused: (reason) => seen.push(reason),
			});
			return seen;
		},
		reconnect() {
			server.cut();
			comeBack();
		},
		stayConnected(ms: number) {
			for (let passed = 0; passed < ms; passed += 1_000) {
				timers.advance(1_000);
				server.push({ type: 'pong' });
			}
		},
		[Symbol.asyncDispose]: () => client[Symbol.asyncDispose](),
	};
}

function askFrame(): ServerFrame {
	return {
		type: 'ask',
		ask: {
			id: askId.parse('a1'),
			sessionId: sessionId.parse('s1'),
			kind: 'permission',
			tool: 'Bash',
			input: { command: 'ls' },
			state: 'pending',
			risk: 'low',
			actorId: actorId.parse('agent:root'),
			eventId: eventId.parse('s1:R1:E1'),
			reason: 'no rule',
			openedAt: 1,
			expiresAt: 2,
			nonce: 'n',
			inputHash: 'h',
		},
	};
}

function unreachable(): never {
	throw new Error('the test expected something to be there');
}
