// A socket opened by a page proves nothing: until its first frame brings a ticket, it receives nothing and may do little.
import { NOT_ADMITTED } from '@roost/protocol/api/devices';
import type { RawStream } from '@roost/testkit/rigs/api/raw-stream';
import { startTestGateway, type TestGateway } from '@roost/testkit/rigs/api/test-gateway';
import { waitFor } from '@roost/testkit/rigs/wait-for';
import { describe, expect, it } from 'vitest';

const FLOOD = { limits: { wrongPerMinute: 1_000 } };

describe('first frame of a socket', () => {
	it('admits a ticket once, on its own path and from the origin of its device', async () => {
		await using rig = await startTestGateway(FLOOD);
		const device = await rig.addDevice();
		const origin = rig.gateway.url;
		const ticket = await device.socketTicket();
		await using first = await rig.open({ headers: { origin }, ticket });
		await first.frame('hello');
		expect(await refused(rig, { type: 'ticket', ticket })).toEqual([NOT_ADMITTED, []]);
		const forTerminal = await device.socketTicket('/api/v1/terminals/x');
		expect(await refused(rig, { type: 'ticket', ticket: forTerminal })).toEqual([NOT_ADMITTED, []]);
		const elsewhere = await device.socketTicket();
		const localhost = `http://localhost:${rig.gateway.port}`;
		expect(await refused(rig, { type: 'ticket', ticket: elsewhere }, localhost)).toEqual([NOT_ADMITTED, []]);
	});

	it('closes the socket before anything is sent if it has no valid ticket', async () => {
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
			{ type: 'ticket', ticket: 'guess' },
			{ type: 'ticket', ticket: 'x'.repeat(201) },
			{ type: 'ticket' },
			'',
			'[[[[[[',
			Buffer.from('{"type":"ticket"}'),
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
		large.sendText(JSON.stringify({ type: 'ticket', ticket: 'x'.repeat(1_000_000) }));
		expect(await closeCode(large)).toBe(1006);
	});

	it('closes waiting sockets when too many are waiting', async () => {
		await using rig = await startTestGateway({ limits: { waitingSockets: 3 } });
		const device = await rig.addDevice();
		const ticket = await device.socketTicket();
		const waiting: RawStream[] = [];
		await using stack = new AsyncDisposableStack();
		for (let count = 0; count < 20; count++) waiting.push(stack.use(await rig.open({ headers: { origin: rig.gateway.url } })));
		await waitFor(() => (waiting.filter((socket) => socket.closed() !== undefined).length === 17 ? true : undefined), {
			what: '17 closed sockets',
		});
		expect(rig.gateway.clients()).toBe(0);
		await using admitted = await rig.open({ headers: { origin: rig.gateway.url }, ticket });
		await admitted.frame('hello');
		expect(rig.gateway.clients()).toBe(1);
	});

	it('does not bypass the limit of clients', async () => {
		await using rig = await startTestGateway({ limits: { clients: 1 } });
		const device = await rig.addDevice();
		const [one, two] = [await device.socketTicket(), await device.socketTicket()];
		await using waiting = await rig.open({ headers: { origin: rig.gateway.url } });
		await using first = await rig.open({ headers: { origin: rig.gateway.url }, ticket: one });
		await first.frame('hello');
		waiting.send({ type: 'ticket', ticket: two });
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
