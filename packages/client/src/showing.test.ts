import { createManualTimers } from '@roost/testkit/rigs/manual-timers';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createShowing } from './showing.ts';

const SIZE = { cols: 80, rows: 24 };
const numRuns = process.env.ROOST_SOAK === '1' ? 20_000 : 300;

describe('showing a terminal', () => {
	it('hands on every piece without waiting for the ones before', async () => {
		const world = createWorld();
		await world.begin(100);
		world.bytes('ab', 'cd', 'ef');
		expect(world.handedOn).toEqual(['snapshot', 'ab', 'cd', 'ef']);
		expect(world.acks).toEqual([100]);
	});

	it('confirms in order although the window shows pieces out of order', async () => {
		const world = createWorld({ ackEvery: 1 });
		await world.begin(100);
		world.bytes('ab', 'cd', 'ef', 'gh');
		await world.show('ef');
		await world.show('cd');
		expect(world.acks).toEqual([100]);
		await world.show('ab');
		expect(world.acks).toEqual([100, 106]);
		await world.show('gh');
		expect(world.acks).toEqual([100, 106, 108]);
	});

	it('confirms small pieces together, after a moment, and nothing twice', async () => {
		const world = createWorld();
		await world.begin(100);
		world.bytes('ab', 'cd', '');
		await world.show('ab');
		await world.show('cd');
		expect(world.acks).toEqual([100]);
		world.timers.advance(50);
		await world.show('');
		world.timers.advance(1_000);
		expect(world.acks).toEqual([100, 104]);
	});

	it('does not confirm a piece that is not shown when others are', async () => {
		const world = createWorld();
		await world.begin(100);
		world.bytes('ab', 'cd');
		await world.show('cd');
		world.timers.advance(1_000);
		expect(world.acks).toEqual([100]);
	});

	it('draws a snapshot when everything before it is shown, and hands on the bytes after it at once', async () => {
		const world = createWorld();
		await world.begin(100);
		world.bytes('ab');
		world.snapshot(500);
		world.bytes('cd');
		expect(world.handedOn).toEqual(['snapshot', 'ab']);
		await world.show('ab');
		expect(world.handedOn).toEqual(['snapshot', 'ab', 'snapshot', 'cd']);
		await world.show('cd');
		expect(world.acks).toEqual([100]);
		await world.show('snapshot');
		expect(world.acks).toEqual([100, 502]);
	});

	it('runs an action after everything before it is shown, and before everything after it', async () => {
		const world = createWorld();
		await world.begin(0);
		world.bytes('ab', 'cd');
		world.showing.afterwards(() => world.handedOn.push('resized'));
		world.bytes('ef');
		await world.show('cd');
		expect(world.handedOn).toEqual(['snapshot', 'ab', 'cd']);
		await world.show('ab');
		expect(world.handedOn).toEqual(['snapshot', 'ab', 'cd', 'resized', 'ef']);
	});

	it('confirms nothing of a lost connection, and draws the next snapshot after its last piece', async () => {
		const world = createWorld({ ackEvery: 1 });
		await world.begin(100);
		world.bytes('ab', 'cd');
		world.snapshot(300);
		world.showing.restart();
		world.snapshot(200);
		await world.show('ab');
		expect(world.handedOn).toEqual(['snapshot', 'ab', 'cd']);
		await world.show('cd');
		expect(world.handedOn).toEqual(['snapshot', 'ab', 'cd', 'snapshot']);
		expect(world.acks).toEqual([100]);
		await world.show('snapshot');
		expect(world.acks).toEqual([100, 200]);
	});

	it('does not send a confirmation that was due when the connection was lost', async () => {
		const world = createWorld();
		await world.begin(100);
		world.bytes('ab');
		await world.show('ab');
		world.showing.restart();
		world.timers.advance(1_000);
		expect(world.acks).toEqual([100]);
	});

	it.each(['throws', 'rejects'] as const)('reports a window that %s, and confirms nothing after it', async (how) => {
		const world = createWorld({ ackEvery: 1, breaks: how });
		await world.begin(100);
		world.bytes('broken', 'ab');
		world.showing.afterwards(() => world.handedOn.push('ended'));
		await world.show('ab');
		expect(world.failures).toEqual([new Error('no screen')]);
		expect(world.acks).toEqual([100]);
		expect(world.handedOn).toEqual(['snapshot', 'broken', 'ab', 'ended']);
	});

	it('confirms each position once and in order, whatever is shown first', async () => {
		await fc.assert(
			fc.asyncProperty(fc.array(fc.nat(), { minLength: 1, maxLength: 30 }), async (order) => {
				const world = createWorld({ ackEvery: 1 });
				await world.begin(0);
				const pieces = order.map((_, at) => `piece ${at}`);
				world.bytes(...pieces);
				const shown = new Set<string>();
				for (const pick of order) {
					const rest = pieces.filter((piece) => !shown.has(piece));
					const piece = rest[pick % rest.length] ?? '';
					shown.add(piece);
					await world.show(piece);
					const missing = pieces.findIndex((each) => !shown.has(each));
					const before = missing === -1 ? pieces : pieces.slice(0, missing);
					expect(world.acks.at(-1)).toBe(before.join('').length);
				}
				expect(world.acks).toEqual([...new Set(world.acks)].toSorted((a, b) => a - b));
			}),
			{ numRuns },
		);
	});
});

function createWorld({ ackEvery = 1_000, breaks = 'never' as 'never' | 'throws' | 'rejects' } = {}) {
	const timers = createManualTimers();
	const handedOn: string[] = [];
	const acks: number[] = [];
	const failures: unknown[] = [];
	const shown = new Map<string, () => void>();

	function handOn(name: string): Promise<void> {
		handedOn.push(name);
		if (name === 'broken' && breaks === 'throws') throw new Error('no screen');
		if (name === 'broken') return Promise.reject(new Error('no screen'));
		const { promise, resolve } = Promise.withResolvers<void>();
		shown.set(name, resolve);
		return promise;
	}

	const showing = createShowing({
		window: { snapshot: () => handOn('snapshot'), bytes: (bytes) => handOn(new TextDecoder().decode(bytes)) },
		timers,
		ackEvery,
		ack: (position) => acks.push(position),
		failed: (cause) => failures.push(cause),
	});
	const bytes = (...texts: string[]) => {
		for (const text of texts) showing.bytes(new TextEncoder().encode(text));
	};
	const snapshot = (position: number) => {
		showing.snapshot({ position, bytes: 4, ...SIZE });
		bytes('scr', 'n');
	};
	/** Every continuation has run once this resolves. */
	const show = async (name: string) => {
		shown.get(name)?.();
		await new Promise((resolve) => setImmediate(resolve));
	};
	const begin = async (position: number) => {
		snapshot(position);
		await show('snapshot');
	};
	return { timers, handedOn, acks, failures, showing, bytes, snapshot, show, begin };
}
