import type { RawStream } from '@roost/testkit/rigs/api/raw-stream';
import { BEARER, startTestGateway } from '@roost/testkit/rigs/api/test-gateway';
import { sampleEvent } from '@roost/testkit/rigs/record/sample-append';
import { unwrap } from '@roost/testkit/rigs/unwrap';
import { waitFor } from '@roost/testkit/rigs/wait-for';
import { describe, expect, it } from 'vitest';

function placesOf(stream: RawStream): number[] {
	return stream.frames.flatMap((frame) => (frame.type === 'line' ? [frame.line.seqNo] : []));
}

function typesOf(stream: RawStream): string[] {
	return stream.frames.map(({ type }) => type);
}

async function closeCode(stream: RawStream): Promise<number> {
	return await waitFor(() => stream.closed(), { what: 'the stream to close' });
}

describe('connection to the stream', () => {
	it('starts with hello and the protocol, followed by all pending asks', async () => {
		await using rig = await startTestGateway();
		rig.world.openAsk('a1');
		rig.world.openAsk('a2', { state: 'denied' });
		rig.world.openAsk('a3');
		await using client = await rig.open();
		await client.frame('ask', ({ ask }) => ask.id === 'a3');
		const log = { runnerId: 'runner-1', epoch: 1 };
		expect(client.frames[0]).toEqual({ type: 'hello', protocol: 3, ...log, version: '0.1.0', head: { ...log, seqNo: 0 } });
		expect(client.frames.flatMap((frame) => (frame.type === 'ask' ? [frame.ask.id] : []))).toEqual(['a1', 'a3']);
	});

	it('receives every ask, even without a subscription', async () => {
		await using rig = await startTestGateway();
		await using one = await rig.open();
		await using two = await rig.open();
		await Promise.all([one.frame('hello'), two.frame('hello')]);
		rig.world.openAsk('a1');
		for (const client of [one, two]) expect((await client.frame('ask')).ask.state).toBe('pending');
	});

	it('announces every new session, but not the runner itself', async () => {
		await using rig = await startTestGateway();
		await using client = await rig.open();
		await client.frame('hello');
		await rig.world.append('runner:runner-1', 1);
		await rig.world.append('s1', 2);
		await rig.world.append('s1', 1);
		rig.world.openAsk('a1');
		await client.frame('ask');
		expect(client.frames.slice(1)).toMatchObject([{ type: 'session', sessionId: 's1' }, { type: 'ask' }]);
	});

	it('is rejected when there are too many clients', async () => {
		await using rig = await startTestGateway({ limits: { clients: 1 } });
		await using _one = await rig.open();
		await expect(rig.open()).rejects.toThrow('503');
	});
});

describe('subscription', () => {
	it('replays one stream from an offset, sends caught-up, and continues live', async () => {
		await using rig = await startTestGateway();
		await rig.world.append('s1', 3);
		await rig.world.append('s2', 2);
		await using client = await rig.open();
		client.send({ type: 'subscribe', sub: 'a', stream: 's1', after: 1 });
		await client.frame('caught-up');
		await rig.world.append('s2', 1);
		await rig.world.append('s1', 1);
		await client.frame('line', ({ line }) => line.offset === 4);
		expect(typesOf(client)).toEqual(['hello', 'line', 'line', 'caught-up', 'line']);
		expect(placesOf(client)).toEqual([2, 3, 7]);
	});

	it('follows all streams by seqNo', async () => {
		await using rig = await startTestGateway({ limits: { pageLines: 2 } });
		await rig.world.append('s1', 3);
		await rig.world.append('s2', 2);
		await using client = await rig.open();
		client.send({ type: 'subscribe-all', sub: 'a', after: placeAt(1) });
		await client.frame('caught-up');
		await rig.world.append('s3', 2);
		await client.frame('line', ({ line }) => line.seqNo === 7);
		expect(placesOf(client)).toEqual([2, 3, 4, 5, 6, 7]);
	});

	it('follows only new lines from now, which is the head that hello names', async () => {
		await using rig = await startTestGateway();
		await rig.world.append('s1', 3);
		await using client = await rig.open();
		expect((await client.frame('hello')).head).toEqual(placeAt(3));
		await rig.world.append('s2', 2);
		client.send({ type: 'subscribe-all', sub: 'a', after: 'now' });
		expect(await client.frame('caught-up')).toEqual({ type: 'caught-up', sub: 'a', after: 5 });
		await rig.world.append('s1', 1);
		await client.frame('line');
		expect(placesOf(client)).toEqual([6]);
	});

	it('sends the stored bytes unchanged', async () => {
		await using rig = await startTestGateway();
		const [entry] = await rig.world.append('s1', 1, 'a "quoted" ✓ text');
		await using client = await rig.open();
		client.send({ type: 'subscribe', sub: 'a', stream: 's1', after: 0 });
		await client.frame('caught-up');
		const [next] = await rig.world.append('s1', 1, 'live "quoted" ✓');
		await client.frame('line', ({ line }) => line.offset === 2);
		const wrapped = [entry, next].map((stored) => `{"type":"line","line":${stored?.line}}`);
		expect(client.texts.filter((text) => text.startsWith('{"type":"line"'))).toEqual(wrapped);
	});

	it('accepts a stream that does not exist yet', async () => {
		await using rig = await startTestGateway();
		await using client = await rig.open();
		client.send({ type: 'subscribe', sub: 'a', stream: 'later', after: 0 });
		await client.frame('caught-up');
		await rig.world.append('later', 1);
		expect((await client.frame('line')).line.offset).toBe(1);
	});

	it('ends on request and can be started again under the same name', async () => {
		await using rig = await startTestGateway();
		await using client = await rig.open();
		client.send({ type: 'subscribe-all', sub: 'a', after: null });
		await client.frame('caught-up');
		client.send({ type: 'unsubscribe', sub: 'a' });
		client.send({ type: 'ping' });
		await client.frame('pong');
		await rig.world.append('s1', 2);
		client.send({ type: 'subscribe-all', sub: 'a', after: placeAt(1) });
		await client.frame('line');
		expect(placesOf(client)).toEqual([2]);
	});

	it('is rejected for a repeated target, past the limit, and ahead of the record', async () => {
		await using rig = await startTestGateway({ limits: { subscriptions: 2 } });
		await rig.world.append('s1', 2);
		await using client = await rig.open();
		const refusal = async (frame: unknown) => {
			const before = client.frames.filter(({ type }) => type === 'error').length;
			client.send(frame);
			return await waitFor(
				() => client.frames.flatMap((one) => (one.type === 'error' ? [`${one.sub}: ${one.error.message}`] : []))[before],
				{
					what: 'a refusal',
				},
			);
		};
		client.send({ type: 'subscribe', sub: 'a', stream: 's1', after: 2 });
		expect(await refusal({ type: 'subscribe', sub: 'b', stream: 's1', after: 0 })).toMatch(/^b: .*"a"/);
		expect(await refusal({ type: 'subscribe', sub: 'b', stream: 's2', after: 1 })).toContain('ends before 1');
		expect(await refusal({ type: 'subscribe-all', sub: 'b', after: placeAt(3) })).toContain('ends before 3');
		client.send({ type: 'subscribe-all', sub: 'b', after: placeAt(2) });
		expect(await refusal({ type: 'subscribe', sub: 'c', stream: 's2', after: 0 })).toMatch(/^c: .*2 subscriptions/);
		expect(client.closed()).toBeUndefined();
	});

	it.each([
		['runner', { runnerId: 'runner-2', epoch: 1, seqNo: 1 }, 'the log of runner runner-2, epoch 1'],
		['epoch', { runnerId: 'runner-1', epoch: 2, seqNo: 1 }, 'the log of runner runner-1, epoch 2'],
	])('is rejected for a cursor of another %s', async (_, after, named) => {
		await using rig = await startTestGateway();
		await rig.world.append('s1', 2);
		await using client = await rig.open();
		client.send({ type: 'subscribe-all', sub: 'a', after });
		expect(await client.frame('error')).toMatchObject({
			sub: 'a',
			error: {
				code: 'bad_request',
				message: `This cursor is of ${named}, and this is the log of runner runner-1, epoch 1. Start again from 0.`,
			},
		});
		client.send({ type: 'subscribe-all', sub: 'a', after: null });
		await client.frame('caught-up');
		expect(placesOf(client)).toEqual([1, 2]);
	});

	it('is rejected for a cursor from before the log was restored', async () => {
		await using rig = await startTestGateway();
		await rig.world.append('s1', 2);
		unwrap(await rig.world.kept.openEpoch('a backup was restored', 1));
		await using client = await rig.open();
		expect(await client.frame('hello')).toMatchObject({ epoch: 2 });
		client.send({ type: 'subscribe-all', sub: 'a', after: placeAt(1) });
		expect((await client.frame('error')).error.message).toContain('runner-1, epoch 2. Start again from 0');
	});

	it('receives deltas of its own stream, once, and only after it has caught up', async () => {
		await using rig = await startTestGateway();
		await using one = await rig.open();
		await using both = await rig.open();
		await using other = await rig.open();
		one.send({ type: 'subscribe', sub: 'a', stream: 's1', after: 0 });
		both.send({ type: 'subscribe', sub: 'a', stream: 's1', after: 0 });
		both.send({ type: 'subscribe-all', sub: 'b', after: null });
		other.send({ type: 'subscribe', sub: 'a', stream: 's2', after: 0 });
		await Promise.all([one.frame('caught-up'), both.frame('caught-up', ({ sub }) => sub === 'b'), other.frame('caught-up')]);
		rig.world.report({ deltas: [sampleEvent('s1', 1, { kind: 'agent.delta', data: { text: 'he' } })] });
		rig.world.openAsk('end');
		await Promise.all([one.frame('ask'), both.frame('ask'), other.frame('ask')]);
		const deltas = [one, both, other].map((client) => typesOf(client).filter((type) => type === 'delta').length);
		expect(deltas).toEqual([1, 1, 0]);
	});

	it('closes the connection when the record cannot be read', async () => {
		await using rig = await startTestGateway();
		await using client = await rig.open();
		await client.frame('hello');
		await rig.world[Symbol.asyncDispose]();
		client.send({ type: 'subscribe', sub: 'a', stream: 's1', after: 0 });
		expect((await client.frame('error')).error.code).toBe('store_unavailable');
		expect(await closeCode(client)).toBe(1011);
	});
});

describe('commands over the stream', () => {
	it('decide an ask once, and a repeated id returns the first result, even over another connection', async () => {
		await using rig = await startTestGateway();
		rig.world.openAsk('a1');
		const command = {
			type: 'call',
			operation: 'asks.approve',
			id: 'c1',
			input: { id: 's1', askId: 'a1', nonce: 'nonce-a1', decision: 'allow' },
		};
		await using one = await rig.open({ headers: { ...BEARER, 'x-roost-face': 'cli' } });
		await using two = await rig.open();
		one.send(command);
		expect(await one.frame('result')).toMatchObject({ id: 'c1', ok: true, value: { id: 'a1', state: 'allowed' } });
		two.send(command);
		expect(await two.frame('result')).toMatchObject({ id: 'c1', ok: true, value: { id: 'a1', state: 'allowed' } });
		two.send({ ...command, id: 'c2' });
		expect(await two.frame('result', ({ id }) => id === 'c2')).toMatchObject({
			ok: false,
			error: { code: 'conflict' },
			winner: { state: 'allowed', verdict: { type: 'allow' }, principal: expect.stringMatching(/@cli$/) },
		});
		two.send({ ...command, input: { ...command.input, decision: 'deny' } });
		expect(await two.frame('result', ({ id, ok }) => id === 'c1' && !ok)).toMatchObject({ error: { code: 'conflict' } });
		expect(rig.world.answeredBy.map(({ face }) => face)).toEqual(['cli']);
	});

	it('reject an unknown operation, an invalid input, and an operation that is opened as a socket', async () => {
		await using rig = await startTestGateway();
		await using client = await rig.open();
		const call = async (id: string, operation: string, input: object) => {
			client.send({ type: 'call', id, operation, input });
			return await client.frame('result', (frame) => frame.id === id);
		};
		expect(await call('c1', 'asks.nothing', {})).toMatchObject({ ok: false, error: { code: 'not_found' } });
		expect(await call('c2', 'sockets.stream', {})).toMatchObject({ ok: false, error: { code: 'not_found' } });
		expect(await call('c3', 'asks.constructor', {})).toMatchObject({ ok: false, error: { code: 'not_found' } });
		expect(await call('c4', 'asks.approve', { id: 's1' })).toMatchObject({ ok: false, error: { code: 'bad_request' } });
		expect(await call('c5', 'asks.list', { all: true })).toMatchObject({ ok: true, value: [] });
	});

	it('answer a question and reject an unknown ask', async () => {
		await using rig = await startTestGateway();
		rig.world.openAsk('q1', { kind: 'question' });
		await using client = await rig.open();
		client.send({
			type: 'call',
			operation: 'asks.answer',
			id: 'c1',
			input: { id: 's1', askId: 'q1', nonce: 'nonce-q1', answers: { 'Why?': 'Because' } },
		});
		expect((await client.frame('result')).ok).toBe(true);
		expect((await client.frame('ask', ({ ask }) => ask.state === 'answered')).ask.id).toBe('q1');
		client.send({
			type: 'call',
			operation: 'asks.answer',
			id: 'c2',
			input: { id: 's1', askId: 'none', nonce: 'n', answers: {} },
		});
		expect(await client.frame('result', ({ id }) => id === 'c2')).toMatchObject({ ok: false, error: { code: 'not_found' } });
	});

	it('race with HTTP: one wins and the others get a conflict', async () => {
		await using rig = await startTestGateway();
		rig.world.openAsk('a1');
		await using client = await rig.open();
		const body = { askId: 'a1', nonce: 'nonce-a1', decision: 'allow' };
		const overHttp = Array.from({ length: 20 }, () => rig.post('/api/v1/sessions/s1/approve', body));
		for (let id = 0; id < 20; id++)
			client.send({ type: 'call', operation: 'asks.approve', id: `c${id}`, input: { id: 's1', ...body } });
		const statuses = (await Promise.all(overHttp)).map(({ status }) => status);
		const results = await waitFor(
			() => {
				const seen = client.frames.flatMap((frame) => (frame.type === 'result' ? [frame.ok] : []));
				return seen.length === 20 ? seen : undefined;
			},
			{ what: 'all results' },
		);
		const wins = statuses.filter((status) => status === 200).length + results.filter((won) => won).length;
		expect(wins).toBe(1);
		expect(statuses.every((status) => status === 200 || status === 409)).toBe(true);
		expect(rig.world.answeredBy).toHaveLength(1);
	});

	it('are rejected with their id when too many calls are pending', async () => {
		const { promise: never } = Promise.withResolvers<never>();
		await using rig = await startTestGateway({ limits: { openCommands: 2 } }, (backend) => ({
			...backend,
			asks: { ...backend.asks, approve: () => never },
		}));
		rig.world.openAsk('a1');
		await using client = await rig.open();
		for (const id of ['c1', 'c2', 'c3']) {
			client.send({
				type: 'call',
				operation: 'asks.approve',
				id,
				input: { id: 's1', askId: 'a1', nonce: 'n', decision: 'allow' },
			});
		}
		expect(await client.frame('result')).toMatchObject({ id: 'c3', ok: false, error: { code: 'store_busy' } });
	});
});

describe('client', () => {
	it('is removed when it disconnects', async () => {
		await using rig = await startTestGateway();
		const client = await rig.open();
		client.send({ type: 'subscribe-all', sub: 'a', after: null });
		await client.frame('caught-up');
		await client[Symbol.asyncDispose]();
		await waitFor(() => (rig.gateway.clients() === 0 ? true : undefined), { what: 'the client to be gone' });
		let made = 0;
		const [entry] = await rig.world.store('s1', 1);
		if (!entry) throw new Error('nothing was stored');
		const counted = {
			...entry,
			get line() {
				made++;
				return entry.line;
			},
		};
		rig.world.report({ entries: [counted] });
		expect(made).toBe(0);
	});

	it('gets an error for a bad frame and stays connected', async () => {
		await using rig = await startTestGateway();
		await using client = await rig.open();
		const bad = ['no json', '{}', '{"type":"fly"}', '{"type":"subscribe","sub":"a","stream":"s1","after":-1}', '['.repeat(100)];
		for (const text of bad) client.sendText(text);
		client.sendText(Buffer.from('{"type":"ping"}'));
		client.send({ type: 'ping' });
		await client.frame('pong');
		const errors = client.frames.filter((frame) => frame.type === 'error');
		expect(errors).toHaveLength(6);
		expect(errors[3]).toMatchObject({ sub: 'a', error: { message: expect.stringContaining('frame.after') } });
		expect(client.closed()).toBeUndefined();
	});

	it('gets the call id with the error for a rejected frame', async () => {
		await using rig = await startTestGateway();
		await using client = await rig.open();
		client.send({ type: 'call', operation: 'asks.approve', id: 'c1', input: [] });
		expect(await client.frame('error')).toMatchObject({ id: 'c1', error: { code: 'bad_request' } });
		client.send({ type: 'call', operation: 'asks.approve', id: 'c'.repeat(65), input: {} });
		await waitFor(() => client.frames.filter(({ type }) => type === 'error')[1], {
			what: 'the second refusal',
		});
		expect(client.frames.filter(({ type }) => type === 'error')[1]).not.toHaveProperty('id');
	});

	it('is closed after too many bad frames', async () => {
		await using rig = await startTestGateway();
		await using client = await rig.open();
		for (let frame = 0; frame < 11; frame++) client.sendText('bad');
		expect(await closeCode(client)).toBe(1008);
	});

	it('is closed with 1009 for a frame of more than 1 MiB', async () => {
		await using rig = await startTestGateway();
		await using client = await rig.open();
		client.sendText('x'.repeat(1024 * 1024 + 1));
		expect(await closeCode(client)).toBe(1009);
		await waitFor(() => (rig.gateway.clients() === 0 ? true : undefined), { what: 'the client to be gone' });
	});

	it('is dropped if it does not respond to a ping, while a responding one stays', async () => {
		await using rig = await startTestGateway({ limits: { pingMs: 30 } });
		await using alive = await rig.open();
		await using halfOpen = await rig.open({ autoPong: false });
		expect(await closeCode(halfOpen)).toBe(1006);
		expect(alive.closed()).toBeUndefined();
		expect(rig.gateway.clients()).toBe(1);
	});
});

function placeAt(seqNo: number) {
	return { runnerId: 'runner-1', epoch: 1, seqNo };
}
