import { randomUUID } from 'node:crypto';
import { createRowList } from '@roost/core/views/row-list';
import { createSessionView, foldSessionView } from '@roost/core/views/session-view';
import { sessionId } from '@roost/protocol/ids';
import { startTestGateway } from '@roost/testkit/rigs/api/test-gateway';
import { failure, message } from '@roost/testkit/rigs/record/linked-events';
import { sampleAppend, sampleEvent, sampleSession } from '@roost/testkit/rigs/record/sample-append';
import { unwrap } from '@roost/testkit/rigs/unwrap';
import { pause, waitFor } from '@roost/testkit/rigs/wait-for';
import { describe, expect, it } from 'vitest';
import { createApiClient } from '../api-client.ts';
import { createStreamClient } from '../stream-client.ts';
import { type FollowRowsDeps, followRows, type SessionRows } from './follow-rows.ts';

const EVENTS = 1_700;
const ID = sessionId.parse('s1');

describe('session as rows', () => {
	it('shows its newest part and its view, then each event as it arrives', async () => {
		await using ui = await openLong();
		ui.follow();
		const newest = await ui.until('the view', ({ view }) => view !== undefined);
		expect(newest).toMatchObject({ first: 1_551, last: EVENTS, head: EVENTS, loading: null, problem: null });
		expect(offsets(newest)).toEqual(range(1_551, EVENTS));
		expect(newest.view).toEqual(await ui.foldedInOrder());
		await ui.append(3);
		const grown = await ui.until('new events', ({ head }) => head === EVENTS + 3);
		expect(offsets(grown)).toEqual(range(1_551, EVENTS + 3));
		expect(grown.view).toEqual(await ui.foldedInOrder());
	});

	it('makes the same rows of live lines as the runner makes of stored ones', async () => {
		await using ui = await openLong(3);
		ui.follow();
		await ui.until('the first page', ({ first }) => first === 1);
		await ui.append(40, 'words 漢字');
		const live = await ui.until('new events', ({ head }) => head === 43);
		const { rows } = unwrap(await ui.api.feed.rows({ id: ID }));
		const stored = createRowList({ olderComes: true });
		stored.addOlder(rows);
		stored.endOlder();
		expect(entries(live.rows)).toEqual(entries(stored));
	});

	it('reads older pages on request, up to the first event', async () => {
		await using ui = await openLong();
		const follow = ui.follow();
		await ui.until('the first page', ({ first }) => first > 0);
		await Promise.all([follow.readOlder(), follow.readOlder()]);
		expect(offsets(follow.state())).toEqual(range(1_051, EVENTS));
		for (const _ of range(1, 4)) await follow.readOlder();
		expect(follow.state()).toMatchObject({ first: 1, loading: null });
		expect(offsets(follow.state())).toEqual(range(1, EVENTS));
	});

	it('begins around an event, and reads newer pages up to the live end', async () => {
		await using ui = await openLong();
		const follow = ui.follow({}, ID, 400);
		const around = await ui.until('the page', ({ first }) => first > 0);
		expect(offsets(around)).toEqual(range(150, 649));
		expect(around).toMatchObject({ first: 150, last: 649, head: EVENTS });
		await ui.append(3);
		const { view } = await ui.until('new events', (state) => state.head === EVENTS + 3 && state.view !== undefined);
		expect(view).toEqual(await ui.foldedInOrder());
		expect(follow.state().last).toBe(649);
		await Promise.all([follow.readNewer(), follow.readOlder()]);
		expect(offsets(follow.state())).toEqual(range(1, 1_149));
		await follow.readNewer();
		await follow.readNewer();
		await ui.append(2);
		const live = await ui.until('the live end', ({ last, head }) => last === head && head === EVENTS + 5);
		expect(offsets(live)).toEqual(range(1, EVENTS + 5));
	});

	it('has every line once if lines arrive while a newer page is read', async () => {
		await using ui = await openLong(600);
		const follow = ui.follow(
			{
				async rows(query) {
					if (query.after !== undefined) await ui.append(10);
					const page = await ui.api.feed.rows(query);
					if (query.after !== undefined) {
						await ui.append(10);
						const head = page.ok ? page.value.head + 10 : 0;
						await ui.until('lines during the read', (state) => state.head === head);
					}
					return page;
				},
			},
			ID,
			100,
		);
		await ui.until('the page', ({ last }) => last === 349);
		await follow.readNewer();
		const live = await ui.until('the live end', ({ last, head }) => last === head && head === 620);
		expect(offsets(live)).toEqual(range(1, 620));
	});

	it('has every line once after the runner restarted, also those that were stored in between', async () => {
		await using ui = await openLong();
		ui.follow();
		await ui.until('the view', ({ view }) => view !== undefined);
		for (const _ of range(1, 3)) {
			await ui.rig.stop();
			await ui.store(20);
			await ui.rig.start();
			await ui.append(5);
		}
		const whole = await ui.until('all events', ({ head }) => head === EVENTS + 75);
		expect(offsets(whole)).toEqual(range(1_551, EVENTS + 75));
		expect(whole.view).toEqual(await ui.foldedInOrder());
	});

	it.each([
		['not in it', async (read: () => Promise<unknown>, lines: () => Promise<unknown>) => [await read(), await lines()]],
		['in it', async (read: () => Promise<unknown>, lines: () => Promise<unknown>) => [await lines(), await read()]],
	])('folds each line once if some arrive before the view and are %s', async (_, inOrder) => {
		await using ui = await openLong();
		ui.follow({
			async view(input) {
				let reply: ReturnType<typeof ui.api.feed.view> | undefined;
				const lines = async () => {
					await ui.append(7);
					await ui.until('lines before the view', ({ head }) => head === EVENTS + 7);
				};
				await inOrder(() => (reply = ui.api.feed.view(input)), lines);
				return (await reply) ?? expect.fail('not read');
			},
		});
		const { view } = await ui.until('the view', (state) => state.view !== undefined);
		expect(view).toEqual(await ui.foldedInOrder());
	});

	it('folds no line again that the view has and the stream delivers later', async () => {
		await using ui = await openLong(5);
		ui.follow({
			async view(input) {
				await ui.append(1);
				await ui.until('a live line', ({ head }) => head === 6);
				// Stored, but not announced to the stream.
				await ui.store(4);
				return await ui.api.feed.view(input);
			},
		});
		const early = await ui.until('the view', ({ view }) => view !== undefined);
		expect(early).toMatchObject({ head: 6, view: { summary: { events: 10 } } });
		await ui.append(1);
		const { view } = await ui.until('all lines', ({ head }) => head === 11);
		expect(view).toEqual(await ui.foldedInOrder());
	});

	it('shows a result whose call is missing once the beginning was read', async () => {
		await using ui = await openLong(1);
		const session = sampleSession('s', { events: 2 });
		unwrap(await ui.rig.world.kept.append(sampleAppend('s', [failure(1, 99), message(2)], { session })));
		ui.follow({}, session.id);
		expect(offsets(await ui.until('the rows', ({ first }) => first === 1))).toEqual([1, 2]);
	});

	it('streams the text of an actor until its message is stored', async () => {
		await using ui = await openLong(3);
		ui.follow();
		await ui.until('the first page', ({ first }) => first === 1);
		// Without a connection deltas are lost.
		await ui.append(1);
		await ui.until('a live line', ({ head }) => head === 4);
		const delta = { kind: 'agent.delta', data: { text: 'half ' } } as const;
		const event = sampleEvent('s1', 5, delta);
		ui.rig.world.report({ deltas: [event, sampleEvent('other', 1, delta), event] });
		await ui.until('the text', ({ streaming }) => streaming.get(event.actor_id) === 'half half ');
		await ui.append(1, 'half half');
		await ui.until('the message', ({ streaming, head }) => head === 5 && streaming.size === 0);
	});

	it('reports an unknown session, and does not try again', async () => {
		await using ui = await openLong(1);
		ui.follow({}, sessionId.parse('none'));
		const state = await ui.until('the problem', ({ problem, loading }) => problem !== null && loading === null);
		expect(state.problem?.code).toBe('not_found');
	});

	it('tries again while the runner is away, and reports why in the meantime', async () => {
		await using ui = await openLong(5);
		await ui.rig.stop();
		ui.follow();
		await ui.until('the problem', ({ problem }) => problem?.code === 'cannot_start');
		await ui.rig.start();
		await ui.until('the rows', ({ problem, head }) => problem === null && head === 5);
	});

	it('reports nothing once it has ended', async () => {
		await using ui = await openLong(5);
		const follow = ui.follow();
		await ui.until('the view', ({ view }) => view !== undefined);
		follow.end();
		const { changes } = ui;
		await ui.append(2);
		await follow.readOlder();
		await ui.rig.stop();
		expect(ui.changes).toBe(changes);
	});
});

async function openLong(count = EVENTS) {
	await using stack = new AsyncDisposableStack();
	const rig = stack.use(await startTestGateway());
	await rig.world.append('s1', count);
	const api = createApiClient({ baseUrl: rig.url, token: rig.token, face: 'web', fetch });
	const timers = {
		after(ms: number, run: () => void) {
			const timer = setTimeout(run, ms / 20);
			return () => clearTimeout(timer);
		},
	};
	const { openSocket } = rig;
	const stream = stack.use(createStreamClient({ openSocket, timers, now: Date.now, random: Math.random, newId: randomUUID }));
	let state: SessionRows | undefined;
	const owned = stack.move();
	return {
		rig,
		api,
		changes: 0,
		follow(over: Partial<FollowRowsDeps['api']['feed']> = {}, id = ID, at?: number) {
			const follow = followRows({
				id,
				at,
				api: { ...api, feed: { ...api.feed, ...over } },
				stream,
				pause: (ms) => pause(ms / 20),
				onChange: (next) => {
					this.changes += 1;
					state = next;
				},
			});
			owned.defer(() => follow.end());
			return follow;
		},
		append: (more: number, text?: string) => rig.world.append('s1', more, text),
		store: (more: number) => rig.world.store('s1', more),
		until: (what: string, fits: (state: SessionRows) => boolean) =>
			waitFor(() => (state && fits(state) ? state : undefined), { what, seen: () => ({ ...state, rows: undefined }) }),
		async foldedInOrder() {
			const view = createSessionView(ID);
			for (let after = 0; ; after += 500) {
				const page = unwrap(await api.feed.events({ id: ID, after, limit: 500 }));
				for (const { event } of page) foldSessionView(view, event);
				if (page.length < 500) return view;
			}
		},
		[Symbol.asyncDispose]: () => owned.disposeAsync(),
	};
}

function entries({ first, end, at }: SessionRows['rows']) {
	return Array.from({ length: end - first }, (_, index) => at(first + index));
}

function offsets({ rows }: SessionRows): number[] {
	return entries(rows).map((entry) => entry?.event.offset ?? 0);
}

function range(first: number, last: number): number[] {
	return Array.from({ length: last - first + 1 }, (_, index) => first + index);
}
