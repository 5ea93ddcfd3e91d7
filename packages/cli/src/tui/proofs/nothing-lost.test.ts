// The events of a flooding session in the terminal UI while its runner restarts: every recorded event, once.
import { setTimeout as delay } from 'node:timers/promises';
import { createApiClient } from '@roost/client/api-client';
import { createStreamClient } from '@roost/client/stream-client';
import { createSource } from '@roost/client/world/source';
import { sessionId } from '@roost/protocol/ids';
import { startTestGateway } from '@roost/testkit/rigs/api/test-gateway';
import { unwrap } from '@roost/testkit/rigs/unwrap';
import { pause, waitFor } from '@roost/testkit/rigs/wait-for';
import { expect, it } from 'vitest';

const EVENTS = process.env.ROOST_SOAK === '1' ? 20_000 : 4_000;
const STEP = 100;
const ID = sessionId.parse('s1');

it('receives every event once and in order despite connection losses', { timeout: 120_000 }, async () => {
	await using rig = await startTestGateway();
	await rig.world.append('s1', 700);
	const api = createApiClient({ baseUrl: rig.url, token: rig.token, face: 'cli', fetch });
	const stream = createStreamClient({
		openSocket: rig.openSocket,
		timers: {
			after(ms, run) {
				const timer = setTimeout(run, Math.min(ms, 50));
				return () => clearTimeout(timer);
			},
		},
		now: Date.now,
		random: Math.random,
		newId: () => crypto.randomUUID(),
	});
	const project = { path: '/project' };
	await using source = createSource({
		api,
		stream,
		project,
		now: Date.now,
		exportSession: async () => '',
		notify: () => {},
		newId: () => crypto.randomUUID(),
		pause,
	});
	await waitFor(() => source.world().open ?? undefined, { what: 'the session' });
	const ids = () => {
		const { feed } = source.world().open ?? { feed: { first: 0, end: 0, at: () => undefined } };
		return Array.from({ length: feed.end - feed.first }, (_, index) => feed.at(feed.first + index)?.event.event_id);
	};
	for (let sent = 0; sent < EVENTS; sent += STEP) {
		await Promise.all([rig.world.append('s1', STEP), rig.world.append('s2', STEP)]);
		if (sent === EVENTS / 4 || sent === EVENTS / 2) await rig.stop();
		if (sent === EVENTS / 4 + 3 * STEP || sent === EVENTS / 2 + 5 * STEP) await rig.start();
		await delay(1);
	}
	await waitFor(() => (source.world().open?.loading === null && ids().length >= EVENTS + 700 ? true : undefined), {
		what: 'the whole session',
		seen: () => ids().length,
	});
	const stored: string[] = [];
	for (let after = 0; after < EVENTS + 700; after += 1_000) {
		stored.push(...unwrap(await api.feed.events({ id: ID, after, limit: 1_000 })).map(({ event }) => event.event_id));
	}
	expect(ids()).toEqual(stored);
	expect(source.world().open?.view.summary.events).toBe(stored.length);
});
