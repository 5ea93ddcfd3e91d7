import type { PushMessage } from '@roost/protocol/api/push';
import { deviceId } from '@roost/protocol/ids';
import { createManualTimers } from '@roost/testkit/rigs/manual-timers';
import { waitFor } from '@roost/testkit/rigs/wait-for';
import { expect, it } from 'vitest';
import { createDeliveries, MOST_TRIES } from './deliveries.ts';
import { type Posted, toPosted } from './post-push.ts';

const PHONE = deviceId.parse('a'.repeat(16));

it('sends one at a time, and of those that wait only the newest', async () => {
	const world = openWorld();
	for (const count of [1, 2, 3, 4]) world.send(count);
	await world.posts(1);
	world.answer(ACCEPTED);
	await world.posts(2);
	world.answer(ACCEPTED);
	expect(world.counts()).toEqual([1, 4]);
});

it('retries a busy service with growing delays, then gives up with one warning', async () => {
	const world = openWorld();
	world.send(1);
	const delays: number[] = [];
	for (let tries = 1; tries <= MOST_TRIES; tries++) {
		await world.posts(tries);
		world.answer(BUSY);
		if (tries === MOST_TRIES) break;
		await waitFor(() => world.timers.waiting() > 0 || undefined, { what: 'a pause' });
		const before = world.timers.now();
		while (world.timers.waiting() > 0) world.timers.advance(1_000);
		delays.push(world.timers.now() - before);
	}
	await waitFor(() => world.warnings[0], { what: 'a warning' });
	expect([delays, world.warnings.length]).toEqual([[2_000, 4_000, 8_000, 16_000], 1]);
});

it('waits as long as the service says, but not for ever, and then sends the newest', async () => {
	const world = openWorld();
	world.send(1);
	await world.posts(1);
	world.answer({ type: 'busy', why: 'it answered with 429', afterMs: 99_999_000 });
	await waitFor(() => world.timers.waiting() > 0 || undefined, { what: 'a pause' });
	world.send(0);
	world.timers.advance(5 * 60_000);
	await world.posts(2);
	expect(world.counts()).toEqual([1, 0]);
});

it('forgets a subscription that is gone, and reports one that is refused', async () => {
	const world = openWorld();
	world.send(1);
	await world.posts(1);
	world.send(2);
	world.answer({ type: 'gone' });
	await waitFor(() => world.gone[0], { what: 'the end of the subscription' });
	world.send(3);
	await world.posts(2);
	world.answer({ type: 'refused', why: 'it answered with 403' });
	await waitFor(() => world.warnings[0], { what: 'a warning' });
	expect([world.gone, world.counts(), world.warnings]).toEqual([[PHONE], [1, 3], [expect.stringContaining('403')]]);
});

it('sends nothing more when it is closed', async () => {
	const world = openWorld();
	world.send(1);
	await world.posts(1);
	world.answer(BUSY);
	await waitFor(() => world.timers.waiting() > 0 || undefined, { what: 'a pause' });
	world.close();
	expect(world.timers.waiting()).toBe(0);
	await Promise.resolve();
	expect(world.counts()).toEqual([1]);
});

it.each([
	[201, 'accepted'],
	[204, 'accepted'],
	[301, 'refused'],
	[307, 'refused'],
	[400, 'refused'],
	[403, 'refused'],
	[404, 'gone'],
	[410, 'gone'],
	[413, 'refused'],
	[429, 'busy'],
	[500, 'busy'],
	[503, 'busy'],
])('reads status %i as %s', (status, type) => {
	expect(toPosted(status, undefined).type).toBe(type);
});

it('reads how long to wait', () => {
	expect(toPosted(429, '120')).toMatchObject({ afterMs: 120_000 });
	expect(toPosted(429, 'Wed, 21 Oct 2026 07:28:00 GMT')).toMatchObject({ afterMs: undefined });
});

const ACCEPTED: Posted = { type: 'accepted' };
const BUSY: Posted = { type: 'busy', why: 'it answered with 503', afterMs: undefined };

function openWorld() {
	const timers = createManualTimers();
	const posted: { message: PushMessage; resolve: (posted: Posted) => void }[] = [];
	const warnings: string[] = [];
	const gone: string[] = [];
	const deliveries = createDeliveries({
		post(_device, message) {
			const { promise, resolve } = Promise.withResolvers<Posted>();
			posted.push({ message, resolve });
			return promise;
		},
		onGone: (device) => void gone.push(device),
		timers,
		warn: (sentence) => void warnings.push(sentence),
	});
	return {
		timers,
		warnings,
		gone,
		send: (count: number) => deliveries.send(PHONE, { count, runner: 'desk' }),
		posts: (number: number) => waitFor(() => posted.length >= number || undefined, { what: `push ${number}`, everyMs: 1 }),
		answer: (answer: Posted) => posted.at(-1)?.resolve(answer),
		counts: () => posted.map(({ message }) => message.count),
		close: () => deliveries[Symbol.dispose](),
	};
}
