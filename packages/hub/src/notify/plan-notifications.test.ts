import { askId, runId, runnerId, sessionId } from '@roost/protocol/ids';
import { describe, expect, it } from 'vitest';
import {
	dueAsks,
	keyOf,
	MOST_KNOWN,
	NOTHING_OPEN,
	type NotifySettings,
	nextDue,
	planNotifications,
	type RunnerRef,
	WAIT_MS,
} from './plan-notifications.ts';

const LAPTOP = { id: runnerId.parse('r1'), name: 'laptop' };
const TOWER = { id: runnerId.parse('r2'), name: 'tower' };
const START = Date.parse('2026-11-15T12:00:00Z');
const S1 = sessionId.parse('s1');

describe('plan of notifications', () => {
	it('notifies of a request that is still pending after a moment, once', () => {
		const world = openWorld();
		world.asks(LAPTOP, { a1: 'pending' });
		expect(world.due(WAIT_MS - 1)).toEqual([]);
		world.asks(LAPTOP, { a1: 'pending' });
		expect(world.due(1)).toEqual([{ kind: 'requests', runner: LAPTOP, session: 's1', ask: 'a1', count: 1 }]);
		world.asks(LAPTOP, { a1: 'pending' });
		expect(world.due(60_000)).toEqual([]);
		expect(world.nextDue()).toBeUndefined();
	});

	it('combines the requests of a runner that are due, with the oldest and the number of open ones', () => {
		const world = openWorld();
		world.asks(LAPTOP, { a1: 'pending' });
		world.asks(LAPTOP, { a2: 'pending' });
		world.asks(TOWER, { a1: 'pending' });
		expect(world.due(WAIT_MS)).toEqual([
			{ kind: 'requests', runner: LAPTOP, session: 's1', ask: 'a1', count: 2 },
			{ kind: 'requests', runner: TOWER, session: 's1', ask: 'a1', count: 1 },
		]);
		world.asks(LAPTOP, { a1: 'allowed', a3: 'pending' });
		expect(world.due(WAIT_MS)).toMatchObject([{ ask: 'a3', count: 2 }]);
	});

	it('does not notify of a request that was answered, here or unnoticed, or that was watched', () => {
		const world = openWorld();
		world.asks(LAPTOP, { a1: 'pending', a2: 'pending' });
		world.asks(LAPTOP, { a1: 'denied' }, { isLive: false });
		expect(world.due(WAIT_MS, { gone: ['a2'] })).toEqual([]);
		world.asks(LAPTOP, { a3: 'pending' });
		expect(world.due(WAIT_MS, { watched: [LAPTOP] })).toEqual([]);
		expect(world.due(WAIT_MS)).toEqual([]);
	});

	it('never notifies of lines from before the connection, or of a runner that is switched off', () => {
		const world = openWorld({ runners: { tower: false, r1: true } });
		world.asks(LAPTOP, { a1: 'pending' }, { isLive: false });
		world.asks(TOWER, { a2: 'pending' });
		expect(world.failed(LAPTOP, 'R1', { isLive: false })).toEqual([]);
		expect(world.failed(TOWER, 'R1')).toEqual([]);
		expect(world.due(WAIT_MS)).toEqual([]);
		expect(openWorld({ runners: { r2: false } }).failed(TOWER, 'R1')).toEqual([]);
	});

	it('notifies of a failed run at once, and of the same run once', () => {
		const world = openWorld();
		expect(world.failed(LAPTOP, 'R1')).toEqual([{ kind: 'run-failed', runner: LAPTOP, session: 's1', run: 'R1' }]);
		expect(world.failed(LAPTOP, 'R1')).toEqual([]);
		expect(world.failed(TOWER, 'R1')).toHaveLength(1);
	});

	it('waits for the end of the quiet hours with requests, and leaves out failed runs', () => {
		const world = openWorld({ quietHours: '11:00-13:00', timeZone: 'UTC' });
		world.asks(LAPTOP, { a1: 'pending', a2: 'pending' });
		expect(world.failed(LAPTOP, 'R1')).toEqual([]);
		expect(world.due(WAIT_MS)).toEqual([]);
		expect(world.nextDue()).toBe(Date.parse('2026-11-15T13:00:00Z'));
		world.asks(LAPTOP, { a1: 'allowed' });
		expect(world.due(3_600_000)).toMatchObject([{ ask: 'a2', count: 1 }]);
	});

	it('remembers a bounded number of requests and runs', () => {
		const world = openWorld();
		const many = Object.fromEntries(Array.from({ length: MOST_KNOWN + 5 }, (_, at) => [`a${at}`, 'pending']));
		world.asks(LAPTOP, many);
		expect(world.open()).toBe(MOST_KNOWN);
		expect(world.due(WAIT_MS)).toMatchObject([{ ask: 'a5', count: MOST_KNOWN }]);
	});
});

function openWorld(over: Partial<NotifySettings> = {}) {
	const settings = { runners: {}, ...over };
	let state = NOTHING_OPEN;
	let at = START;
	const apply = (input: Parameters<typeof planNotifications>[1]) => {
		const plan = planNotifications(state, input, settings);
		state = plan.state;
		return plan.notices;
	};
	return {
		asks(runner: RunnerRef, states: Record<string, string>, { isLive = true } = {}) {
			const asks = Object.entries(states).map(([id, one]) => ({ id: askId.parse(id), sessionId: S1, state: one }));
			expect(apply({ type: 'update', at, runner, isLive, asks, failed: [] })).toEqual([]);
		},
		failed: (runner: RunnerRef, run: string, { isLive = true } = {}) =>
			apply({ type: 'update', at, runner, isLive, asks: [], failed: [{ session: S1, run: runId.parse(run) }] }),
		due(ms: number, { gone = [] as string[], watched = [] as RunnerRef[] } = {}) {
			at += ms;
			const open = dueAsks(state, at).filter(({ ask }) => !gone.includes(ask));
			const pending = new Set(open.map(({ runner, ask }) => keyOf(runner.id, ask)));
			return apply({ type: 'due', at, pending, watched: new Set(watched.map(({ id }) => id)) });
		},
		nextDue: () => nextDue(state),
		open: () => state.asks.size,
	};
}
