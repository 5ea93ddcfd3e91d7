// For any order of appends, updates, subscriptions and slow reads, every subscriber gets every line once and in order.

import { setImmediate as immediate } from 'node:timers/promises';
import { type ServerFrame, serverFrame } from '@roost/protocol/api/stream-frames';
import { streamId } from '@roost/protocol/ids';
import type { LogEntry } from '@roost/protocol/log-entry';
import { createTestBackend, type TestBackend } from '@roost/testkit/rigs/api/test-backend';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { DEFAULT_LIMITS } from '../http/limits.ts';
import type { StoredLog } from '../operations/backend.ts';
import { createConnection } from './connection.ts';
import { createFanOut, type FanOut } from './fan-out.ts';

const RUNS = process.env.ROOST_SOAK === '1' ? 5_000 : 200;
const QUEUE = 4_000;
const STREAMS = ['s1', 's2'] as const;
const CLIENTS = 3;

type Action =
	| { do: 'store'; stream: (typeof STREAMS)[number]; count: number }
	| { do: 'tell'; upTo: number }
	| { do: 'subscribe'; client: number; stream: (typeof STREAMS)[number] | undefined; back: number }
	| { do: 'take'; client: number; frames: number };

const stream = fc.constantFrom(...STREAMS);
const client = fc.nat({ max: CLIENTS - 1 });
const action: fc.Arbitrary<Action> = fc.oneof(
	fc.record({ do: fc.constant('store' as const), stream, count: fc.integer({ min: 1, max: 12 }) }),
	fc.record({ do: fc.constant('tell' as const), upTo: fc.integer({ min: 1, max: 4 }) }),
	fc.record({
		do: fc.constant('subscribe' as const),
		client,
		stream: fc.option(stream, { nil: undefined }),
		back: fc.nat({ max: 20 }),
	}),
	fc.record({ do: fc.constant('take' as const), client, frames: fc.integer({ min: 1, max: 20 }) }),
);

describe('replay and live updates', () => {
	it.each([
		['at once', false],
		['later', true],
	])('join without gaps or repeats, with a bounded queue, in any interleaving, when the log responds %s', async (_, isLate) => {
		await fc.assert(
			fc.asyncProperty(fc.array(action, { maxLength: 60 }), async (actions) => {
				await using world = createTestBackend();
				using fanOut = createFanOut(world.backend);
				const clients = Array.from({ length: CLIENTS }, () => createSlowClient(world, fanOut, isLate));
				const unreported: LogEntry[][] = [];
				for (const one of actions) {
					await perform(one, world, clients, unreported);
					// Some reads are in progress when the next action happens.
					if (isLate && one.do !== 'store') await immediate();
				}
				for (const entries of unreported) world.report({ entries });
				for (const slow of clients) await slow.takeAllThatComes();
				for (const slow of clients) slow.expectComplete();
			}),
			{ numRuns: RUNS },
		);
	});
});

async function perform(one: Action, world: TestBackend, clients: readonly SlowClient[], unreported: LogEntry[][]): Promise<void> {
	switch (one.do) {
		case 'store':
			unreported.push(await world.store(one.stream, one.count));
			break;
		case 'tell':
			for (const entries of unreported.splice(0, one.upTo)) world.report({ entries });
			break;
		case 'subscribe':
			clients[one.client]?.subscribe(one.stream, one.back);
			break;
		case 'take':
			clients[one.client]?.take(one.frames);
			break;
	}
}

/** Reads asynchronously, like a hub over a network. */
function createLateLog({ backend: { log } }: TestBackend): StoredLog {
	return {
		...log,
		async read(query) {
			const found = await log.read(query);
			await immediate();
			return found;
		},
	};
}

type SlowClient = ReturnType<typeof createSlowClient>;

/** Reads frames only on request, and keeps those since its last subscription. */
function createSlowClient(world: TestBackend, fanOut: FanOut, isLate: boolean) {
	const log = isLate ? createLateLog(world) : world.backend.log;
	const backend = { ...world.backend, log };
	const wire: { frame: Buffer; taken: () => void }[] = [];
	let target: { stream: string | undefined; after: number; sub: string } | undefined;
	let places: number[] = [];
	let subs = 0;
	let current = false;
	let lastSent = 0;
	const connection = createConnection({
		backend,
		call: async ({ id }) => ({ type: 'result', id, ok: true }),
		limits: { ...DEFAULT_LIMITS, queueBytes: QUEUE, pageLines: 8 },
		wire: { write: put, close: fail, cut: fail, later: (action) => action() },
	});
	fanOut.add(connection);

	function put(frame: Buffer, taken: () => void): void {
		wire.push({ frame, taken });
		const waiting = wire.reduce((sum, one) => sum + one.frame.length, 0);
		expect(waiting).toBeLessThan(QUEUE + 2_000);
		const sent: ServerFrame = serverFrame.parse(JSON.parse(frame.toString()));
		if (sent.type === 'line') lastSent = target?.stream === undefined ? sent.line.seqNo : sent.line.offset;
		// Lines stored during the read are sent a moment later.
		if (sent.type === 'caught-up' && !isLate) expect(lastSent).toBe(head(target?.stream));
	}

	function fail(): never {
		throw new Error('the client was cut off');
	}

	function read(text: string): void {
		const frame: ServerFrame = serverFrame.parse(JSON.parse(text));
		if (frame.type === 'error') throw new Error(frame.error.message);
		if (frame.type === 'line') places.push(target?.stream === undefined ? frame.line.seqNo : frame.line.offset);
		if (frame.type === 'caught-up') current = true;
		if (frame.type === 'lagged') current = false;
	}

	function take(frames: number): void {
		for (const { frame, taken } of wire.splice(0, frames)) {
			read(frame.toString());
			taken();
		}
	}

	function takeAll(): void {
		while (wire.length > 0) take(1);
	}

	function head(name: string | undefined): number {
		const found = world.kept.read(
			name === undefined ? { afterSeqNo: 0, limit: 10_000 } : { stream: streamId.parse(name), after: 0, limit: 10_000 },
		);
		return found.ok ? found.value.length : Number.NaN;
	}

	return {
		take,
		async takeAllThatComes(): Promise<void> {
			for (let quiet = 0; quiet < 3; quiet = wire.length > 0 ? 0 : quiet + 1) {
				takeAll();
				await immediate();
			}
		},
		subscribe(name: string | undefined, back: number): void {
			if (target) connection.receive(JSON.stringify({ type: 'unsubscribe', sub: target.sub }));
			takeAll();
			const after = Math.max(0, head(name) - back);
			const sub = `sub${subs++}`;
			target = { stream: name, after, sub };
			places = [];
			lastSent = after;
			connection.receive(
				JSON.stringify(
					name === undefined
						? { type: 'subscribe-all', sub, after: after === 0 ? null : { runnerId: 'runner-1', epoch: 1, seqNo: after } }
						: { type: 'subscribe', sub, stream: name, after },
				),
			);
		},
		expectComplete(): void {
			if (!target) return;
			const { after } = target;
			expect(places).toEqual(Array.from({ length: head(target.stream) - after }, (_, at) => after + at + 1));
			expect(current).toBe(true);
		},
	};
}
