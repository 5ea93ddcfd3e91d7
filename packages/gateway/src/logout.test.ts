// A login that ends takes its sockets along, at once, and its cookie opens nothing any more.
import { startTestGateway, type TestGateway } from '@roost/testkit/rigs/test-gateway';
import { waitFor } from '@roost/testkit/rigs/wait-for';
import { describe, expect, it } from 'vitest';
import { createLogins } from './logins.ts';

const WITHIN = { deadlineMs: 2_000, what: 'the socket to be closed' };

describe('logging out', () => {
	it('ends the login, closes its open sockets within two seconds, and refuses the cookie from then on', async () => {
		await using rig = await startTestGateway();
		const headers = await browserOf(rig);
		await using first = await rig.open({ headers });
		await using second = await rig.open({ headers });
		await Promise.all([first.frame('hello'), second.frame('hello')]);
		const reply = await rig.call({ method: 'POST', path: '/api/v1/logout', headers });
		expect(reply).toMatchObject({ status: 200, body: '{"ended":1}' });
		expect(reply.headers['set-cookie']?.[0]).toBe(`roost-${rig.gateway.port}=; HttpOnly; SameSite=Strict; Path=/; Max-Age=0`);
		expect(await waitFor(() => first.closed(), WITHIN)).toBe(1008);
		expect(await waitFor(() => second.closed(), WITHIN)).toBe(1008);
		expect((await rig.call({ path: '/api/v1/asks', headers })).status).toBe(401);
		await expect(rig.open({ headers })).rejects.toThrow('refused with 401');
	});

	it('leaves other logins and the holder of the token alone', async () => {
		await using rig = await startTestGateway();
		const other = await browserOf(rig);
		await using browser = await rig.open({ headers: other });
		await using command = await rig.open();
		await rig.call({ method: 'POST', path: '/api/v1/logout', headers: await browserOf(rig) });
		expect(await rig.post('/api/v1/logout', {})).toMatchObject({ status: 200, body: '{"ended":0}' });
		browser.send({ type: 'ping' });
		command.send({ type: 'ping' });
		await Promise.all([browser.frame('pong'), command.frame('pong')]);
		expect((await rig.call({ path: '/api/v1/asks', headers: other })).status).toBe(200);
	});

	it('takes no command from a socket that is being closed', async () => {
		await using rig = await startTestGateway();
		const headers = await browserOf(rig);
		await using browser = await rig.open({ headers });
		const ask = rig.world.openAsk('s1.1');
		await browser.frame('ask');
		// Paused, it does not hear that it is closed, and goes on as if nothing had happened.
		browser.pause();
		await rig.call({ method: 'POST', path: '/api/v1/logout', headers });
		browser.send({ type: 'approve', id: '1', body: { askId: ask.id, nonce: ask.nonce, decision: 'allow' } });
		await waitFor(() => (rig.gateway.clients() === 0 ? true : undefined), WITHIN);
		expect(rig.world.answeredBy).toEqual([]);
	});
});

describe('revoking all logins', () => {
	it('closes the sockets of every browser, voids tickets, and needs the token', async () => {
		await using rig = await startTestGateway();
		const browsers = [await browserOf(rig), await browserOf(rig)];
		await using one = await rig.open({ headers: browsers[0] ?? {} });
		await using two = await rig.open({ headers: browsers[1] ?? {} });
		await using command = await rig.open();
		const { path } = JSON.parse((await rig.post('/api/v1/tickets', {})).body);
		expect((await rig.call({ method: 'DELETE', path: '/api/v1/logins', headers: browsers[0] ?? {} })).status).toBe(403);
		expect(await rig.call({ method: 'DELETE', path: '/api/v1/logins' })).toMatchObject({ status: 200, body: '{"ended":2}' });
		expect(await waitFor(() => one.closed(), WITHIN)).toBe(1008);
		expect(await waitFor(() => two.closed(), WITHIN)).toBe(1008);
		for (const headers of browsers) expect.soft((await rig.call({ path: '/api/v1/asks', headers })).status).toBe(401);
		expect((await rig.call({ path, headers: {} })).status).toBe(401);
		command.send({ type: 'ping' });
		await command.frame('pong');
	});
});

describe('a login', () => {
	it('that is too old takes its sockets along too', async () => {
		await using rig = await startTestGateway({ limits: { loginMs: 3_000 } });
		await using browser = await rig.open({ headers: await browserOf(rig) });
		await browser.frame('hello');
		expect(await waitFor(() => browser.closed(), { ...WITHIN, deadlineMs: 20_000 })).toBe(1008);
	});

	it('is told of once when it ends, also when newer ones crowd it out', () => {
		using logins = createLogins({ now: () => 0, loginMs: 60_000 });
		const ended: string[] = [];
		logins.onEnd((id) => ended.push(id));
		const first = logins.open();
		const id = logins.find(first);
		for (let count = 0; count < 100; count++) logins.open();
		expect(logins.find(first)).toBeUndefined();
		expect(ended).toEqual([id]);
		expect(id).not.toContain(first);
		expect(logins.endAll()).toBe(100);
		expect(ended.length).toBe(101);
	});
});

async function browserOf(rig: TestGateway): Promise<Record<string, string>> {
	return { cookie: await rig.logIn(), origin: rig.gateway.url };
}
