// A revoked device loses its bearers and sockets at once, and needs a new link.
import { NOT_ADMITTED } from '@roost/protocol/api/devices';
import { openRawTerminal } from '@roost/testkit/rigs/api/raw-terminal';
import type { TestDevice } from '@roost/testkit/rigs/api/test-device';
import { startTestGateway, type TestGateway } from '@roost/testkit/rigs/api/test-gateway';
import { programIn } from '@roost/testkit/rigs/runner/test-terminals';
import { unwrap } from '@roost/testkit/rigs/unwrap';
import { waitFor } from '@roost/testkit/rigs/wait-for';
import { describe, expect, it } from 'vitest';

/** Part of the guarantee in docs/security.md, so this deadline is an assertion. */
const CLOSED = { deadlineMs: 2_000, what: 'the socket to be closed' };

describe('device revocation', () => {
	it('closes the stream and the terminal within two seconds, and then denies the bearer and the key', async () => {
		await using rig = await startTestGateway();
		const { port, url } = rig.gateway;
		const device = await rig.addDevice();
		const headers = await device.logIn();
		await using stream = await openStream(rig, device);
		const { id } = unwrap(await rig.world.terminals.start({ program: programIn('/', '/bin/sh') }));
		const bearer = await device.bearer();
		await using terminal = await openRawTerminal({ port, id, headers: { origin: url }, bearer });
		await Promise.all([stream.frame('hello'), terminal.frame('attached')]);
		expect((await rig.call({ method: 'DELETE', path: `/api/v1/devices/${device.id}`, headers })).status).toBe(200);
		expect(await waitFor(() => stream.closed(), CLOSED)).toBe(NOT_ADMITTED);
		expect(await waitFor(() => terminal.closed(), CLOSED)).toBe(NOT_ADMITTED);
		expect((await rig.call({ path: '/api/v1/asks', headers })).status).toBe(401);
		await expect(device.logIn()).rejects.toThrow('refused with 401');
		await using late = await rig.open({ headers: { origin: url }, bearer });
		expect(await waitFor(() => late.closed(), CLOSED)).toBe(NOT_ADMITTED);
		expect(late.texts).toEqual([]);
		expect((await rig.call({ method: 'DELETE', path: `/api/v1/devices/${device.id}` })).status).toBe(404);
	});

	it('does not affect other devices or the token', async () => {
		await using rig = await startTestGateway();
		const [other, revoked] = [await rig.addDevice(), await rig.addDevice()];
		await using browser = await openStream(rig, other);
		await using command = await rig.open();
		await rig.call({ method: 'DELETE', path: `/api/v1/devices/${revoked.id}` });
		browser.send({ type: 'ping' });
		command.send({ type: 'ping' });
		await Promise.all([browser.frame('pong'), command.frame('pong')]);
		expect((await rig.call({ path: '/api/v1/asks', headers: await other.logIn() })).status).toBe(200);
	});

	it('ignores commands from a socket that is being closed', async () => {
		await using rig = await startTestGateway();
		const device = await rig.addDevice();
		await using browser = await openStream(rig, device);
		const ask = rig.world.openAsk('s1.1');
		await browser.frame('ask');
		// While paused, it does not notice the close and continues to send.
		browser.pause();
		await rig.call({ method: 'DELETE', path: `/api/v1/devices/${device.id}` });
		browser.send({
			type: 'call',
			operation: 'asks.approve',
			id: '1',
			input: { id: 's1', askId: ask.id, nonce: ask.nonce, decision: 'allow' },
		});
		await waitFor(() => (rig.gateway.clients() === 0 ? true : undefined), CLOSED);
		expect(rig.world.answeredBy).toEqual([]);
	});

	it('of all devices closes the sockets of every browser, voids links, and requires the token', async () => {
		await using rig = await startTestGateway();
		const [one, two] = [await rig.addDevice(), await rig.addDevice()];
		await using first = await openStream(rig, one);
		await using second = await openStream(rig, two);
		await using command = await rig.open();
		const all = { method: 'DELETE', path: '/api/v1/devices' };
		expect((await rig.call({ ...all, headers: await one.logIn() })).status).toBe(403);
		expect(await rig.call(all)).toMatchObject({ status: 200, body: '{"revoked":2}' });
		expect(await waitFor(() => first.closed(), CLOSED)).toBe(NOT_ADMITTED);
		expect(await waitFor(() => second.closed(), CLOSED)).toBe(NOT_ADMITTED);
		for (const device of [one, two]) await expect(device.logIn()).rejects.toThrow('refused with 401');
		command.send({ type: 'ping' });
		await command.frame('pong');
	});
});

async function openStream(rig: TestGateway, device: TestDevice) {
	const stream = await rig.open({ headers: { origin: rig.gateway.url }, bearer: await device.bearer() });
	await stream.frame('hello');
	return stream;
}
