import { AppError } from '@roost/protocol/app-error';
import { err, ok, type Result } from '@roost/protocol/result';
import { createManualTimers, type ManualTimers } from '@roost/testkit/rigs/manual-timers';
import { describe, expect, it } from 'vitest';
import { keepRunnerUp, type RunnerKeeper } from './keep-runner-up.ts';

describe('runner keeper', () => {
	it('restarts a killed runner, and keeps watching', async () => {
		await using world = createWorld();
		await world.pass(3_000);
		expect(world.starts).toBe(0);
		world.state = 'killed';
		await world.pass(1_000);
		expect(world.starts).toBe(1);
		expect(world.state).toBe('up');
		world.state = 'killed';
		await world.pass(2_000);
		expect(world.starts).toBe(2);
		expect(world.keeper.problem()).toBeNull();
	});

	it('does not restart a runner that was stopped, even during its backoff', async () => {
		await using world = createWorld();
		world.state = 'ended';
		await world.pass(60_000);
		expect(world.starts).toBe(0);
		world.state = 'killed';
		await world.pass(1_000);
		world.state = 'killed';
		await world.pass(1_000);
		world.state = 'ended';
		await world.pass(60_000);
		expect(world.starts).toBe(1);
	});

	it('restarts less and less often, then gives up and explains why', async () => {
		await using world = createWorld({ dies: true });
		world.state = 'killed';
		const startedAt: number[] = [];
		for (let second = 0; second < 120; second += 1) {
			const before = world.starts;
			await world.pass(1_000);
			if (world.starts > before) startedAt.push(second);
		}
		expect(startedAt).toHaveLength(6);
		const pauses = startedAt.slice(1).map((at, index) => at - (startedAt[index] ?? 0));
		expect(pauses).toEqual([...pauses].sort((a, b) => a - b));
		expect(world.keeper.problem()).toContain('was killed 6 times');
	});

	it('resets its count once a runner stayed up', async () => {
		await using world = createWorld();
		for (let round = 0; round < 20; round += 1) {
			world.state = 'killed';
			await world.pass(62_000);
		}
		expect(world.starts).toBe(20);
	});

	it('reports why a start failed', async () => {
		await using world = createWorld({ start: () => err(new AppError('cannot_start', 'The disk is full.')) });
		world.state = 'killed';
		await world.pass(5_000);
		expect(world.keeper.problem()).toBe('The disk is full.');
	});

	it('starts nothing after it was disposed', async () => {
		const world = createWorld();
		await world.keeper[Symbol.asyncDispose]();
		world.state = 'killed';
		await world.pass(10_000);
		expect(world.starts).toBe(0);
		expect(world.timers.waiting()).toBe(0);
	});

	it('waits for a start in progress when disposed, and then stops watching', async () => {
		const up = Promise.withResolvers<void>();
		const timers = createManualTimers();
		const start = () => up.promise.then(() => ok(undefined));
		const keeper = keepRunnerUp({ state: () => ok('killed'), start, timers, now: timers.now });
		timers.advance(1_000);
		timers.advance(1);
		const over = keeper[Symbol.asyncDispose]();
		up.resolve();
		await over;
		expect(timers.waiting()).toBe(0);
	});
});

type World = AsyncDisposable & {
	timers: ManualTimers;
	state: 'up' | 'ended' | 'killed';
	starts: number;
	keeper: RunnerKeeper;
	pass(ms: number): Promise<void>;
};

function createWorld(options: { dies?: boolean; start?: () => Result<unknown> } = {}): World {
	const timers = createManualTimers();
	const state = () => ok(world.state);
	const start = async () => {
		world.starts += 1;
		const started = options.start?.() ?? ok(undefined);
		if (started.ok && !options.dies) world.state = 'up';
		return started;
	};
	const keeper = keepRunnerUp({ state, start, timers, now: timers.now });
	const world: World = {
		timers,
		state: 'up',
		starts: 0,
		keeper,
		async pass(ms) {
			for (let passed = 0; passed < ms; passed += 500) {
				timers.advance(500);
				// Lets a pending start finish.
				await Promise.resolve().then(() => Promise.resolve());
			}
		},
		[Symbol.asyncDispose]: () => keeper[Symbol.asyncDispose](),
	};
	return world;
}
