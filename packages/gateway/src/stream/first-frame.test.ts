// A socket opened by a page proves nothing: until its first frame brings the bearer of a device, it receives nothing and may do little.
import { NOT_ADMITTED } from '@roost/protocol/api/devices';
import type { RawStream } from '@roost/testkit/rigs/api/raw-stream';
import { startTestGateway, TEST_TOKEN, type TestGateway } from '@roost/testkit/rigs/api/test-gateway';
import { waitFor } from '@roost/testkit/rigs/wait-for';
import { describe, expect, it } from 'vitest';

const FLOOD = { limits: { wrongPerMinute: 1_000 } };

describe('first frame of a socket', () => {
	it('admits the bearer of a device from its own origin only', async () => {
		await using rig = await startTestGateway(FLOOD);
		const device = await rig.addDevice();
		const bearer = await device.bearer();
		await using own = await rig.open({ headers: { origin: rig.gateway.url }, bearer });
		await own.frame('hello');
		const localhost = `http://localhost:${rig.gateway.port}`;
		expect(await refused(rig, { type: 'bearer', bearer }, localhost)).toEqual([NOT_ADMITTED, []]);
	});

	it('does not admit the token, which a page has no use for', async () => {
		await using rig = await startTestGateway(FLOOD);
		expect(await refused(rig, { type: 'bearer', bearer: TEST_TOKEN })).toEqual([NOT_ADMITTED, []]);
	});

	it('does not admit a bearer that has expired', async () => {
		await using rig = await startTestGateway({ limits: { ...FLOOD.limits, bearerMs: 0 } });
		const device = await rig.addDevice();
		expect(await refused(rig, { type: 'bearer', bearer: await device.bearer() })).toEqual([NOT_ADMITTED, []]);
	});

	it('closes the socket before anything is sent if it has no valid bearer', async () => {
		await using rig = await startTestGateway(FLOOD);
		rig.world.openAsk('s1.1');
		const frames = [
			{ type: 'ping' },
			{
				type: 'call',
				operation: 'asks.approve',
				id: '1',
				input: { id: 's1', askId: 's1.1', nonce: 'nonce-s1.1', decision: 'allow' },
			},
			{ type: 'bearer', bearer: 'guess' },
			{ type: 'bearer', bearer: 'x'.repeat(201) },
			{ type: 'bearer' },
			'',
			'[[[[[[',
			Buffer.from('{"type":"bearer"}'),
		];
		for (const frame of frames) expect.soft(await refused(rig, frame), JSON.stringify(frame)).toEqual([NOT_ADMITTED, []]);
		expect(rig.world.answeredBy).toEqual([]);
	});

	it('has a deadline', async () => {
		await using rig = await startTestGateway({ limits: { firstFrameMs: 50 } });
		await using silent = await rig.open({ headers: { origin: rig.gateway.url } });
		expect(await closeCode(silent)).toBe(NOT_ADMITTED);
		expect(silent.texts).toEqual([]);
	});

	it('is limited in size', async () => {
		await using rig = await startTestGateway();
		await using large = await rig.open({ headers: { origin: rig.gateway.url } });
		large.sendText(JSON.stringify({ type: 'bearer', bearer: 'x'.repeat(1_000_000) }));
		expect(await closeCode(large)).toBe(1006);
	});

	it('closes waiting sockets when too many are waiting', async () => {
		await using rig = await startTestGateway({ limits: { waitingSockets: 3 } });
		const device = await rig.addDevice();
		const bearer = await device.bearer();
		const waiting: RawStream[] = [];
		await using stack = new AsyncDisposableStack();
		for (let count = 0; count < 20; count++) waiting.push(stack.use(await rig.open({ headers: { origin: rig.gateway.url } })));
		await waitFor(() => (waiting.filter((socket) => socket.closed() !== undefined).length === 17 ? true : undefined), {
			what: '17 closed sockets',
		});
		expect(rig.gateway.clients()).toBe(0);
		await using admitted = await rig.open({ headers: { origin: rig.gateway.url }, bearer });
		await admitted.frame('hello');
		expect(rig.gateway.clients()).toBe(1);
	});

	it('does not bypass the limit of clients', async () => {
		await using rig = await startTestGateway({ limits: { clients: 1 } });
		const device = await rig.addDevice();
		const bearer = await device.bearer();
		await using waiting = await rig.open({ headers: { origin: rig.gateway.url } });
		await using first = await rig.open({ headers: { origin: rig.gateway.url }, bearer });
		await first.frame('hello');
		waiting.send({ type: 'bearer', bearer });
		expect(await closeCode(waiting)).toBe(1013);
	});
});

/** The close code, and the frames received before it. */
async function refused(rig: TestGateway, frame: unknown, origin = rig.gateway.url): Promise<[number, readonly string[]]> {
	await using socket = await rig.open({ headers: { origin } });
	if (typeof frame === 'string' || Buffer.isBuffer(frame)) socket.sendText(frame);
	else socket.send(frame);
	return [await closeCode(socket), socket.texts];
}

function closeCode(socket: RawStream): Promise<number> {
	return waitFor(() => socket.closed(), { what: 'the socket to be closed' });
}
