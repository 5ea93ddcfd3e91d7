import { randomUUID } from 'node:crypto';
import { createSessionView, foldSessionView } from '@roost/core/views/session-view';
import { sessionId } from '@roost/protocol/ids';
import { ok } from '@roost/protocol/result';
import { startTestGateway } from '@roost/testkit/rigs/api/test-gateway';
import { sampleSession } from '@roost/testkit/rigs/record/sample-append';
import { unwrap } from '@roost/testkit/rigs/unwrap';
import { pause, waitFor } from '@roost/testkit/rigs/wait-for';
import { describe, expect, it } from 'vitest';
import { createApiClient } from '../api-client.ts';
import { createStreamClient } from '../stream-client.ts';
import { type FollowDeps, followSession } from './follow-session.ts';
import type { OpenSession } from './world.ts';

const EVENTS = 1_700;
const ID = sessionId.parse('s1');

describe('long session', () => {
	it('shows its newest part first, and in the end all of it in order', async () => {
		await using ui = await openLong();
		const held = Promise.withResolvers<void>();
		const events: FollowDeps['api']['feed']['events'] = async (page) => {
			await held.promise;
			return await ui.feed.events(page);
		};
		const follow = ui.follow({ events });
		const early = await ui.until('the newest', ({ feed }) => feed.end === 500 && feed.first === 0);
		expect(early.feed.at(early.feed.end - 1)?.event.seq).toBe(EVENTS);
		expect(early.loading).toEqual({ read: 500, total: EVENTS });
		expect(early.view.summary).toMatchObject({ title: 'the row knows', events: EVENTS });
		expect(early.view.state.status).toBe('working');
		await ui.append(3);
		await ui.until('events that arrive during the read', ({ feed }) => feed.end === 503);
		held.resolve();
		const whole = await ui.until('all events', ({ loading }) => loading === null);
		await ui.append(2);
		await ui.until('events that arrive afterwards', ({ feed }) => feed.end === 505);
		expect(shown(whole)).toEqual(Array.from({ length: EVENTS + 5 }, (_, index) => index + 1));
		expect(follow.open().view).toEqual(await ui.foldedInOrder());
	});

	it('continues loading after the runner restarted in the middle', async () => {
		await using ui = await openLong();
		let calls = 0;
		const events: FollowDeps['api']['feed']['events'] = async (page) => {
			calls += 1;
			if (calls === 2) {
				await ui.rig.stop();
				void ui.rig.start();
			}
			return await ui.feed.events(page);
		};
		ui.follow({ events });
		const whole = await ui.until('all events', ({ loading }) => loading === null);
		expect(shown(whole)).toEqual(Array.from({ length: EVENTS }, (_, index) => index + 1));
	});

	it('receives no more updates once it is closed', async () => {
		await using ui = await openLong();
		let reads = 0;
		let changes = 0;
		const events: FollowDeps['api']['feed']['events'] = async (page) => {
			reads += 1;
			follow.end();
			changes = ui.changes;
			return await ui.feed.events(page);
		};
		const follow = ui.follow({ events });
		await waitFor(() => (reads > 0 ? true : undefined), { what: 'the first page' });
		await ui.append(1);
		await ui.rig.stop();
		expect(reads).toBe(1);
		expect(ui.changes).toBe(changes);
	});
});

async function openLong() {
	await using stack = new AsyncDisposableStack();
	const rig = stack.use(await startTestGateway());
	await rig.world.append('s1', EVENTS);
	const { record, feed } = createApiClient({ baseUrl: rig.url, token: rig.token, face: 'cli', fetch });
	const timers = {
		after(ms: number, run: () => void) {
			const timer = setTimeout(run, ms / 20);
			return () => clearTimeout(timer);
		},
	};
	const { openSocket } = rig;
	const stream = stack.use(createStreamClient({ openSocket, timers, now: Date.now, random: Math.random, newId: randomUUID }));
	const row = sampleSession('s1', { events: EVENTS, title: 'the row knows' });
	let open: OpenSession | undefined;
	const owned = stack.move();
	return {
		rig,
		feed,
		changes: 0,
		follow(over: Partial<FollowDeps['api']['feed']>) {
			const session = async () => ok({ ...row, driving: { takesPrompts: true } as const });
			const api = { record: { ...record, session }, feed: { ...feed, ...over } };
			const follow = followSession({
				id: ID,
				row: undefined,
				api,
				stream,
				readPast: async () => [],
				pause,
				onChange: (next) => {
					this.changes += 1;
					open = next;
				},
			});
			owned.defer(() => follow.end());
			return follow;
		},
		append: (count: number) => rig.world.append('s1', count),
		until: (what: string, fits: (open: OpenSession) => boolean) =>
			waitFor(() => (open && fits(open) ? open : undefined), { what, seen: () => open?.loading }),
		async foldedInOrder() {
			const view = createSessionView(ID);
			for (let after = 0; ; after += 500) {
				const page = unwrap(await feed.events({ id: ID, after, limit: 500 }));
				for (const { event } of page) foldSessionView(view, event);
				if (page.length < 500) return view;
			}
		},
		[Symbol.asyncDispose]: () => owned.disposeAsync(),
	};
}

function shown({ feed }: OpenSession): number[] {
	return Array.from({ length: feed.end - feed.first }, (_, index) => feed.at(feed.first + index)?.event.seq ?? 0);
}
