import { runnerId, streamId } from '@roost/protocol/ids';
import { createStreamServer } from '@roost/testkit/rigs/api/stream-server';
import { createManualTimers } from '@roost/testkit/rigs/manual-timers';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { FollowFrom } from './following.ts';
import { createStreamClient } from './stream-client.ts';

const STREAMS = ['s1', 's2'];
const numRuns = process.env.ROOST_SOAK === '1' ? 20_000 : 300;

describe('stream client under random connection events', () => {
	it('delivers exactly the lines of the server to every follower, once and in order', async () => {
		await fc.assert(fc.asyncProperty(fc.array(anyStep, { maxLength: 80 }), holdsAfter), { numRuns });
	});
});

const anyStep = fc.oneof(
	fc.record({ do: fc.constant('append' as const), stream: fc.constantFrom(...STREAMS) }),
	fc.record({ do: fc.constant('deliver' as const), frames: fc.integer({ min: 1, max: 6 }) }),
	fc.record({ do: fc.constant('cut' as const) }),
	fc.record({ do: fc.constant('pass' as const), ms: fc.integer({ min: 1, max: 40_000 }) }),
	fc.record({ do: fc.constant('greet' as const) }),
	fc.record({ do: fc.constant('wake' as const) }),
	fc.record({ do: fc.constant('lag' as const), places: fc.integer({ min: 0, max: 5 }) }),
	fc.record({
		do: fc.constant('follow' as const),
		stream: fc.constantFrom(...STREAMS, undefined),
		after: fc.integer({ min: 0, max: 4 }),
		endsAfter: fc.option(fc.integer({ min: 1, max: 5 }), { nil: undefined }),
	}),
);
type Step = typeof anyStep extends fc.Arbitrary<infer T> ? T : never;
type Follow = Extract<Step, { do: 'follow' }>;

async function holdsAfter(steps: Step[]): Promise<void> {
	const server = createStreamServer();
	const timers = createManualTimers();
	let turn = 0;
	const random = () => {
		turn += 1;
		return (turn % 10) / 10;
	};
	await using client = createStreamClient({ openSocket: server.openSocket, now: timers.now, random, timers, newId: () => 'id' });
	const followed: { step: Follow; got: number[] }[] = [];
	const follow = (step: Follow) => {
		const got: number[] = [];
		followed.push({ step, got });
		const end = client.follow(toFrom(step), {
			onLine(line) {
				got.push(step.stream === undefined ? line.seqNo : line.offset);
				if (got.length === step.endsAfter) end();
			},
		});
	};
	for (const step of [...steps, { do: 'cut' } as const]) {
		if (step.do === 'append') server.append(step.stream);
		if (step.do === 'deliver') server.deliver(step.frames);
		if (step.do === 'cut') server.cut();
		if (step.do === 'pass') timers.advance(step.ms);
		if (step.do === 'greet') server.greet();
		if (step.do === 'wake') client.wake();
		if (step.do === 'lag') server.lag(step.places);
		if (step.do === 'follow') follow(step);
	}
	const opened = server.opened();
	while (server.opened() === opened) timers.advance(500);
	server.greet();
	server.deliver();
	for (const { step, got } of followed) expect(got).toEqual(expected(step, server.log));
}

function toFrom({ stream, after }: Follow): FollowFrom {
	return stream === undefined
		? { after: after === 0 ? null : { runnerId: runnerId.parse('runner-1'), epoch: 1, seqNo: after } }
		: { stream: streamId.parse(stream), after };
}

function expected({ stream, after, endsAfter }: Follow, log: ReturnType<typeof createStreamServer>['log']): number[] {
	const places =
		stream === undefined
			? log.map((line) => line.seqNo)
			: log.filter((line) => line.stream === stream).map((line) => line.offset);
	return places.filter((place) => place > after).slice(0, endsAfter);
}
