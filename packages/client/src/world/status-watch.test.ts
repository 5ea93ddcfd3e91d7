import type { SessionDetail } from '@roost/protocol/api/driving';
import { AppError } from '@roost/protocol/app-error';
import { sessionId } from '@roost/protocol/ids';
import { err, ok, type Result } from '@roost/protocol/result';
import { sampleSession } from '@roost/testkit/rigs/record/sample-append';
import { sampleOpen, sampleWorld } from '@roost/testkit/rigs/tui/sample-world';
import { describe, expect, it } from 'vitest';
import { watchStatus } from './status-watch.ts';
import type { World } from './world.ts';

const IDLE = { status: 'idle', source: 'file', asOf: 1 } as const;
const DETAIL: SessionDetail = { ...sampleSession('k3f9'), driving: { takesPrompts: true }, agentStatus: IDLE };

function openWatch() {
	let now = 100_000;
	let world: World = sampleWorld();
	const asked: { id: string; answer(detail: Result<SessionDetail>): void }[] = [];
	const watch = watchStatus({
		api: { session: ({ id }) => new Promise((resolve) => asked.push({ id, answer: resolve })) },
		world: () => world,
		now: () => now,
		onChange: (facts) => change(facts),
	});
	function change(facts: Partial<World>): void {
		world = { ...world, ...facts };
	}
	return {
		asked: () => asked.map(({ id }) => id),
		async answer(detail: Result<SessionDetail>) {
			asked.at(-1)?.answer(detail);
			await Promise.resolve();
		},
		pass(ms: number) {
			now += ms;
			watch.tick();
		},
		change,
		known: () => world.agentStatus,
	};
}

describe('agent status of the open session', () => {
	it('is polled every two seconds, but not before the previous reply', async () => {
		const watch = openWatch();
		watch.pass(0);
		watch.pass(2_000);
		expect(watch.asked()).toEqual(['k3f9']);
		await watch.answer(ok(DETAIL));
		expect(watch.known()).toEqual({ sessionId: 'k3f9', status: IDLE, readAt: 100_000 });
		watch.pass(-1);
		expect(watch.asked()).toHaveLength(1);
		watch.pass(1);
		expect(watch.asked()).toHaveLength(2);
	});

	it.each([
		['the runner knows nothing', ok({ ...DETAIL, agentStatus: undefined })],
		['the runner does not answer', err(new AppError('internal', 'no'))],
	])('is cleared when %s', async (_, answer) => {
		const watch = openWatch();
		watch.pass(0);
		await watch.answer(ok(DETAIL));
		watch.pass(2_000);
		await watch.answer(answer);
		expect(watch.known()).toBeNull();
	});

	it('ignores a late reply about another session', async () => {
		const watch = openWatch();
		watch.pass(0);
		watch.change({ open: sampleOpen([], 'm2x7') });
		await watch.answer(ok(DETAIL));
		expect(watch.known()).toBeNull();
	});

	it.each([
		['no session is open', { open: null }],
		['there is no connection', { connection: { state: 'reconnecting', since: 0 } }],
		['it has ended', { open: ended() }],
	] as const)('is cleared and not polled when %s', async (_, facts) => {
		const watch = openWatch();
		watch.change({ ...facts, agentStatus: { sessionId: sessionId.parse('k3f9'), status: IDLE, readAt: 0 } });
		watch.pass(5_000);
		expect([watch.asked(), watch.known()]).toEqual([[], null]);
	});
});

function ended(): World['open'] {
	const open = sampleOpen([]);
	open.view.state.ended = true;
	return open;
}
