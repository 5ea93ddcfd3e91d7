// Reading one session over HTTP: rows, single events, and the view, from a real store.
import { createSessionView, foldSessionView } from '@roost/core/views/session-view';
import { parseView } from '@roost/core/views/view-json';
import { type FeedPage, feedPage, storedView } from '@roost/protocol/api/feed-rows';
import type { FeedEvent } from '@roost/protocol/feed/event';
import { runId, sessionId } from '@roost/protocol/ids';
import { ok } from '@roost/protocol/result';
import { storedLine } from '@roost/protocol/stored-line';
import { startTestGateway } from '@roost/testkit/rigs/api/test-gateway';
import { call, failure, message, todo } from '@roost/testkit/rigs/record/linked-events';
import { sampleAppend, sampleSession } from '@roost/testkit/rigs/record/sample-append';
import { unwrap } from '@roost/testkit/rigs/unwrap';
import { describe, expect, it } from 'vitest';
import { createViewReader } from './view-reader.ts';

describe('rows of a session', () => {
	it('are of the newest events, then of those before or after an offset', async () => {
		await using rig = await openRecord(1_200);
		const newest = await rig.rows('limit=500');
		expect(offsets(newest)).toEqual(range(701, 1_200));
		expect(newest).toMatchObject({ first: 701, last: 1_200, head: 1_200 });
		expect(offsets(await rig.rows(`before=${newest.first}&limit=600`))).toEqual(range(101, 700));
		expect(offsets(await rig.rows('before=101&limit=1000'))).toEqual(range(1, 100));
		expect(offsets(await rig.rows('after=1190'))).toEqual(range(1_191, 1_200));
		expect(offsets(await rig.rows('after=5&before=8'))).toEqual([6, 7]);
		expect(offsets(await rig.rows('after=5&limit=2'))).toEqual([6, 7]);
	});

	it('cover no events where there are none', async () => {
		await using rig = await openRecord(3);
		expect(await rig.rows('before=1')).toEqual({ rows: [], first: 1, last: 0, head: 3 });
		expect(await rig.rows('after=3')).toEqual({ rows: [], first: 4, last: 3, head: 3 });
		expect(await rig.rows('after=99')).toEqual({ rows: [], first: 100, last: 99, head: 3 });
	});

	it('leave out events that no list shows, and say which offsets they cover', async () => {
		await using rig = await openRecord(0, [message(1), todo(2), call(3), failure(4, 3), todo(5)]);
		expect(await rig.rows('')).toMatchObject({
			rows: [{ offset: 1 }, { offset: 3, title: 'Bash(ls)' }, { offset: 4, parent: 's:R1:E3' }],
			first: 1,
			last: 5,
			head: 5,
		});
	});

	it('are filtered by kinds and by run', async () => {
		await using rig = await openRecord(0, [message(1), call(2), failure(3, 2), { ...message(4), run_id: runId.parse('s:R2') }]);
		expect(offsets(await rig.rows('kind=tool.pre,tool.failure'))).toEqual([2, 3]);
		expect(offsets(await rig.rows('run=s:R2'))).toEqual([4]);
		expect(await rig.rows('kind=tool.pre&run=s:R2')).toMatchObject({ rows: [], first: 1, last: 4 });
	});

	it('have the size of the stored line in bytes', async () => {
		await using rig = await openRecord(0, [{ ...message(1), body: '漢字' }]);
		const [entry] = unwrap(rig.kept.read({ stream: sampleAppend('s', []).stream, after: 0, limit: 1 }));
		expect((await rig.rows('')).rows[0]?.size).toBe(Buffer.byteLength(entry?.line ?? ''));
	});

	it('make a shorter page of long lines, newest first', async () => {
		const long = 'x'.repeat(1024 * 1024);
		await using rig = await openRecord(
			0,
			range(1, 80).map((seq) => ({ ...message(seq), body: long })),
		);
		const page = await rig.rows('limit=80');
		expect(page).toMatchObject({ last: 80, head: 80 });
		expect(page.first).toBeGreaterThan(1);
		expect(offsets(page)).toEqual(range(page.first, 80));
		const next = await rig.rows('after=0&limit=80');
		expect(next.first).toBe(1);
		expect(next.last).toBeLessThan(80);
	});

	it('are refused for an unknown session, and for more than a page', async () => {
		await using rig = await openRecord(3);
		expect(await rig.get('/api/v1/sessions/none/feed')).toMatchObject({ status: 404 });
		for (const query of ['limit=1001', 'limit=0', 'before=0', 'kind=', 'kind=a,,b', 'kind=A', 'other=1'])
			expect.soft((await rig.get(`${SESSION}/feed?${query}`)).status, query).toBe(400);
	});
});

describe('events of a session', () => {
	it('can be read around one, and one by one', async () => {
		await using rig = await openRecord(50);
		const around = JSON.parse((await rig.get(`${SESSION}/events?around=20&limit=5`)).body);
		expect(
			storedLine
				.array()
				.parse(around)
				.map(({ offset }) => offset),
		).toEqual([18, 19, 20, 21, 22]);
		const first = JSON.parse((await rig.get(`${SESSION}/events?around=1&limit=4`)).body);
		expect(
			storedLine
				.array()
				.parse(first)
				.map(({ offset }) => offset),
		).toEqual([1, 2, 3, 4]);
		expect(storedLine.parse(JSON.parse((await rig.get(`${SESSION}/events/7`)).body)).offset).toBe(7);
	});

	it('are not found with a sentence', async () => {
		await using rig = await openRecord(2);
		const missing = await rig.get(`${SESSION}/events/3`);
		expect(missing.status).toBe(404);
		expect(JSON.parse(missing.body).message).toBe('Event 3 not found. The session has 2 events.');
		expect((await rig.get('/api/v1/sessions/none/events/1')).status).toBe(404);
		for (const offset of ['0', '-1', 'x']) expect((await rig.get(`${SESSION}/events/${offset}`)).status).toBe(400);
	});
});

describe('view of a session', () => {
	it('is folded from the log, and again from where it ended', async () => {
		await using rig = await openRecord(0, [message(1), call(2), todo(3)]);
		expect(await rig.view()).toEqual({ offset: 3, view: foldAll([message(1), call(2), todo(3)]) });
		await rig.append([failure(4, 2)]);
		expect(await rig.view()).toEqual({ offset: 4, view: foldAll([message(1), call(2), todo(3), failure(4, 2)]) });
	});

	it('is the same for requests at the same time, and after other sessions were read', async () => {
		await using rig = await openRecord(300);
		const views = await Promise.all(range(1, 5).map(() => rig.view()));
		for (const view of views) expect(view).toEqual(views[0]);
		for (const other of range(1, 12)) await rig.world.append(`other${other}`, 1);
		for (const other of range(1, 12)) await rig.get(`/api/v1/sessions/other${other}/view`);
		expect(await rig.view()).toEqual(views[0]);
	});

	it('does not change after it was returned', async () => {
		await using rig = await openRecord(2);
		const readView = createViewReader(rig.world.backend);
		const id = sessionId.parse('s');
		const view = unwrap(await readView(id, 2));
		await rig.world.append('s', 1);
		expect(unwrap(await readView(id, 3)).summary.events).toBe(3);
		expect(view.summary.events).toBe(2);
	});

	it('lets other requests pass while a long one is folded', async () => {
		await using rig = await openRecord(6_000);
		let isFolded = false;
		const view = rig.view().then(() => {
			isFolded = true;
		});
		await rig.get('/healthz');
		expect(isFolded).toBe(false);
		await view;
	});

	it('is refused for an unknown session', async () => {
		await using rig = await openRecord(1);
		expect((await rig.get('/api/v1/sessions/none/view')).status).toBe(404);
	});
});

describe('export of a session', () => {
	it('is a download of the header and every line', async () => {
		await using rig = await openRecord(250);
		const { status, headers, body } = await rig.get(`${SESSION}/export`);
		expect({ status, disposition: headers['content-disposition'], type: headers['content-type'] }).toEqual({
			status: 200,
			disposition: 'attachment; filename="roost-s.jsonl"',
			type: 'application/x-ndjson; charset=utf-8',
		});
		const [header = '', ...lines] = body.trimEnd().split('\n');
		expect(JSON.parse(header)).toMatchObject({ export: 1, session: { id: 's' }, events: 250 });
		expect(lines.map((line) => storedLine.parse(JSON.parse(line)).offset)).toEqual(range(1, 250));
	});

	it('has a file name without special characters', async () => {
		await using rig = await openRecord(0);
		await rig.world.append('a"b\u202e;c', 1);
		const { headers } = await rig.get(`/api/v1/sessions/${encodeURIComponent('a"b\u202e;c')}/export`);
		expect(headers['content-disposition']).toBe('attachment; filename="roost-a_b__c.jsonl"');
	});

	it('ends the connection if the rest cannot be read', async () => {
		async function* broken() {
			yield 'one\n';
			throw new Error('the disk is gone');
		}
		await using rig = await startTestGateway({}, (backend) => ({ ...backend, exportSession: () => ok(broken()) }));
		await expect(rig.call({ path: `${SESSION}/export` })).rejects.toThrow();
		expect((await rig.call({ path: '/healthz' })).status).toBe(200);
	});

	it('is refused over the stream, which is for short replies', async () => {
		await using rig = await startTestGateway();
		await rig.world.append('s', 1);
		await using stream = await rig.open();
		stream.send({ type: 'call', id: 'c1', operation: 'feed.export', input: { id: 's' } });
		expect(await stream.frame('result')).toMatchObject({ id: 'c1', ok: false, error: { code: 'bad_request' } });
	});
});

const SESSION = '/api/v1/sessions/s';

async function openRecord(count: number, events: readonly FeedEvent[] = []) {
	await using stack = new AsyncDisposableStack();
	const rig = stack.use(await startTestGateway());
	if (count > 0) await rig.world.append('s', count);
	const { kept } = rig.world;
	let stored = count;
	async function append(more: readonly FeedEvent[]): Promise<void> {
		stored += more.length;
		unwrap(await kept.append(sampleAppend('s', more, { session: sampleSession('s', { events: stored }) })));
	}
	if (events.length > 0) await append(events);
	const get = (path: string) => rig.call({ path });
	const owned = stack.move();
	return {
		world: rig.world,
		kept,
		append,
		get,
		rows: async (query: string) => feedPage.parse(JSON.parse((await get(`${SESSION}/feed?${query}`)).body)),
		async view() {
			const { offset, view } = storedView.parse(JSON.parse((await get(`${SESSION}/view`)).body));
			return { offset, view: parseView(view) };
		},
		[Symbol.asyncDispose]: () => owned.disposeAsync(),
	};
}

function foldAll(events: readonly FeedEvent[]) {
	const view = createSessionView(sessionId.parse('s'));
	for (const event of events) foldSessionView(view, event);
	return view;
}

function offsets({ rows }: FeedPage): number[] {
	return rows.map(({ offset }) => offset);
}

function range(first: number, last: number): number[] {
	return Array.from({ length: last - first + 1 }, (_, index) => first + index);
}
