import { foundProjectId } from '@roost/protocol/api/projects';
import { feedEvent } from '@roost/protocol/feed/event';
import { sessionId, streamId } from '@roost/protocol/ids';
import type { StoredLine } from '@roost/protocol/stored-line';
import { createStreamServer } from '@roost/testkit/rigs/api/stream-server';
import { createManualTimers } from '@roost/testkit/rigs/manual-timers';
import { sampleEvent } from '@roost/testkit/rigs/record/sample-append';
import { unwrap, unwrapError } from '@roost/testkit/rigs/unwrap';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createApiClient } from './api-client.ts';
import type { StreamStatus } from './connection.ts';
import { createStreamClient } from './stream-client.ts';

const KINDS = feedEvent.options.map((option) => option.shape.kind.value);
const numRuns = process.env.ROOST_SOAK === '1' ? 20_000 : 200;

describe('an event of an unknown kind', () => {
	it('arrives as unknown.hook with its place, its fields and its data', async () => {
		await using world = openWorld();
		const cause = { parent_event_id: 's1:R1:E7' };
		const sent = world.line({ kind: 'weather.report', data: { sky: ['clear'] }, level: 'warn', actor_id: 'system', cause });
		world.push(sent);
		const { event_id, seq, ts, session_id, run_id } = sent.event;
		expect(world.lines).toEqual([
			{
				...sent,
				event: {
					...{ event_id, seq, ts, session_id, run_id, level: 'warn', actor_id: 'system', cause },
					kind: 'unknown.hook',
					data: { hook_event_name: 'weather.report', payload: { sky: ['clear'] } },
				},
			},
		]);
	});

	it('does not interrupt the lines around it', async () => {
		await using world = openWorld();
		world.push(world.line({}), world.line({ kind: 'weather.report', data: null }), world.line({}));
		expect(world.lines.map(({ offset, event }) => `${offset} ${event.kind}`)).toEqual([
			'1 user.prompt',
			'2 unknown.hook',
			'3 user.prompt',
		]);
		expect(world.status()).toMatchObject({ state: 'live' });
		expect(world.server.opened()).toBe(1);
	});

	it('arrives as a delta too', async () => {
		await using world = openWorld();
		const kinds: string[] = [];
		world.client.onDelta(({ kind }) => kinds.push(kind));
		world.server.pushText(JSON.stringify({ type: 'delta', event: world.line({ kind: 'weather.report', data: {} }).event }));
		expect(kinds).toEqual(['unknown.hook']);
	});

	it('is read without data', async () => {
		await using world = openWorld();
		world.push(world.line({ kind: 'weather.report', data: undefined }));
		expect(world.lines[0]?.event.data).toEqual({ hook_event_name: 'weather.report', payload: null });
	});

	it('is read in a page of stored lines and in a page of a past session', async () => {
		await using world = openWorld();
		const [known, unknown] = [world.line({}), world.line({ kind: 'weather.report', data: 1 })];
		const lines = unwrap(await apiWith([known, unknown]).feed.events({ id: sessionId.parse('s1') }));
		expect(lines[0]).toEqual(known);
		expect(lines[1]).toMatchObject({ offset: 2, event: { kind: 'unknown.hook', data: { payload: 1 } } });
		expect(unwrap(await apiWith(unknown).feed.event({ id: sessionId.parse('s1'), offset: 2 }))).toEqual(lines[1]);
		const events = [known, unknown].map(({ offset, event }) => ({ offset, event }));
		const page = unwrap(
			await apiWith({ events, more: false }).projects.events({ id: foundProjectId.parse('0123456789abcdef'), nativeId: 'n1' }),
		);
		expect(page.events.map(({ event }) => event.kind)).toEqual(['user.prompt', 'unknown.hook']);
	});
});

describe('a row', () => {
	it('is read without what this version does not know', async () => {
		const { event_id, ts, run_id, actor_id, level } = sampleEvent('s1', 1);
		const row = { offset: 1, event_id, ts, run_id, actor_id, level, kind: 'weather.report', title: 'Rain', size: 9 };
		const odd = { ...row, risk: 'wet', decision: { type: 'allow', by: 'weather' }, colour: 'grey' };
		const page = { rows: [odd, row], first: 1, last: 2, head: 2 };
		const { rows } = unwrap(await apiWith(page).feed.rows({ id: sessionId.parse('s1') }));
		expect(rows).toEqual([row, row]);
	});
});

describe('an event of a known kind', () => {
	it('arrives as unknown.hook if its data has another form', async () => {
		await using world = openWorld();
		world.push(world.line({ kind: 'user.prompt', data: { prompt: { text: 'a newer form' } } }), world.line({}));
		expect(world.lines.map(({ event }) => event.data)).toEqual([
			{ hook_event_name: 'user.prompt', payload: { prompt: { text: 'a newer form' } } },
			{ prompt: 'do thing 2', cwd: '/project' },
		]);
	});
});

describe('any data', () => {
	it('never stops the stream', async () => {
		const anyKind = fc.oneof(fc.constantFrom<string>(...KINDS), fc.string());
		const anyData = fc.oneof(fc.jsonValue(), fc.dictionary(fc.string(), fc.jsonValue()));
		const anyContent = fc.record({ kind: anyKind, data: anyData });
		await fc.assert(
			fc.asyncProperty(fc.array(anyContent, { maxLength: 10 }), async (contents) => {
				await using world = openWorld();
				world.push(...[...contents, {}].map(world.line));
				expect(world.lines.map(({ offset }) => offset)).toEqual([...contents, {}].map((_, at) => at + 1));
				for (const { event } of world.lines) expect(feedEvent.safeParse(event).error).toBeUndefined();
				expect(world.status()).toMatchObject({ state: 'live' });
			}),
			{ numRuns },
		);
	});
});

describe('a broken line', () => {
	it.each([
		['without an id of the event', { event_id: undefined }],
		['with a time that is no number', { ts: 'yesterday' }],
		['of an unknown level', { level: 'loud' }],
		['without a kind', { kind: undefined }],
	])('still ends the stream: %s', async (_, over) => {
		await using world = openWorld();
		const broken = world.line(over);
		world.push(broken);
		expect(world.lines).toEqual([]);
		expect(world.status()).toMatchObject({ state: 'incompatible', reason: expect.stringContaining('cannot read') });
		expect(unwrapError(await apiWith([broken]).feed.events({ id: sessionId.parse('s1') })).code).toBe('internal');
	});

	it('still ends the stream: without an offset', async () => {
		await using world = openWorld();
		const { offset: _, ...rest } = world.line({ kind: 'weather.report' });
		world.server.pushText(JSON.stringify({ type: 'line', line: rest }));
		expect(world.status()).toMatchObject({ state: 'incompatible' });
	});
});

function openWorld() {
	const server = createStreamServer();
	const timers = createManualTimers();
	const lines: StoredLine[] = [];
	let status: StreamStatus | undefined;
	const client = createStreamClient({
		openSocket: server.openSocket,
		now: timers.now,
		random: () => 0,
		timers,
		newId: () => 'id',
	});
	client.onStatus((now) => {
		status = now;
	});
	client.follow({ stream: streamId.parse('s1'), after: 0 }, { onLine: (line) => lines.push(line) });
	server.greet();
	/** The next line of the log, with other fields in its event. */
	const line = (over: object) => {
		server.append('s1');
		const next = server.log.at(-1);
		if (next === undefined) throw new Error('the log is empty');
		return { ...next, event: { ...next.event, ...over } };
	};
	return {
		server,
		client,
		lines,
		line,
		status: () => status,
		push(...sent: object[]) {
			for (const one of sent) server.pushText(JSON.stringify({ type: 'line', line: one }));
		},
		[Symbol.asyncDispose]: () => client[Symbol.asyncDispose](),
	};
}

function apiWith(reply: unknown) {
	const fetch = async () => ({ status: 200, text: async () => JSON.stringify(reply) });
	return createApiClient({ baseUrl: 'http://runner', token: 'secret', face: 'cli', fetch });
}
