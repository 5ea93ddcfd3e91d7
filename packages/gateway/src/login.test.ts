// The login of a browser: a one-time link, then a signed challenge each time, and nothing else.
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { upgradeRaw } from '@roost/testkit/rigs/api/raw-stream';
import { createTestKey, postJson, registerTestDevice } from '@roost/testkit/rigs/api/test-device';
import { BEARER, startTestGateway, TEST_TOKEN, type TestGateway } from '@roost/testkit/rigs/api/test-gateway';
import { describe, expect, it } from 'vitest';
import { SECURITY_HEADERS } from './http/reply.ts';

const WRONG = { authorization: 'Bearer wrong-wrong-wrong-wrong-wrong-wrong' };

describe('login link', () => {
	it('carries its ticket in the fragment and registers a device that is listed with its name', async () => {
		await using rig = await startTestGateway();
		const { path, ticket } = JSON.parse((await rig.post('/api/v1/tickets', {})).body);
		expect(path).toBe(`/#ticket=${ticket}`);
		const { id } = await registerTestDevice(rig.gateway.port, ticket, { name: 'Firefox on Linux' });
		const listed = JSON.parse((await rig.call({ path: '/api/v1/devices' })).body);
		expect(listed).toMatchObject([{ id, name: 'Firefox on Linux', origin: rig.gateway.url }]);
	});

	it('works once', async () => {
		await using rig = await startTestGateway();
		const ticket = await ticketOf(rig);
		await registerTestDevice(rig.gateway.port, ticket);
		await expect(registerTestDevice(rig.gateway.port, ticket)).rejects.toThrow('refused with 401');
	});

	it('expires after 30 seconds', async () => {
		let now = 1_000_000;
		await using rig = await startTestGateway({ now: () => now });
		const [young, old] = [await ticketOf(rig), await ticketOf(rig)];
		now += 29_999;
		await registerTestDevice(rig.gateway.port, young);
		now += 1;
		await expect(registerTestDevice(rig.gateway.port, old)).rejects.toThrow('refused with 401');
	});

	it('registers no key without proof of possession, or for a request without an origin', async () => {
		await using rig = await startTestGateway();
		const { port, url } = rig.gateway;
		const [own, other] = [createTestKey(url), createTestKey(url)];
		const register = async (sign: typeof own.sign, headers: Record<string, string>, subject = own.publicKey) => {
			const ticket = await ticketOf(rig);
			const signature = sign('register', subject, ticket);
			const body = { ticket, name: 'x', publicKey: own.publicKey, signature };
			return (await postJson(port, '/api/v1/devices', body, headers)).status;
		};
		expect(await register(other.sign, { origin: url })).toBe(401);
		expect(await register(own.sign, { origin: url }, other.publicKey)).toBe(401);
		expect(await register(createTestKey('http://127.0.0.1:1').sign, { origin: url })).toBe(401);
		expect(await register(own.sign, {})).toBe(403);
		expect(await register(own.sign, { origin: 'http://evil.com' })).toBe(403);
		expect(rig.world.backend.deviceBook.list()).toEqual([]);
		expect(await register(own.sign, { origin: url })).toBe(201);
	});
});

describe('device', () => {
	it('gets a bearer for a signed challenge, valid once, briefly, and only for its own device and origin', async () => {
		let now = 1_000_000;
		await using rig = await startTestGateway({ now: () => now, limits: { wrongPerMinute: 100 } });
		const { port, url } = rig.gateway;
		const [one, two] = [await rig.addDevice(), await rig.addDevice()];
		const challenge = async (deviceId: string, origin = url): Promise<string> =>
			JSON.parse((await postJson(port, '/api/v1/challenges', { deviceId }, { origin })).body).challenge;
		const answer = async (deviceId: string, signed: string, signature: string, origin = url) =>
			(await postJson(port, '/api/v1/bearers', { deviceId, challenge: signed, signature }, { origin })).status;

		const first = await challenge(one.id);
		expect(await answer(one.id, first, one.sign('login', one.id, first))).toBe(201);
		expect(await answer(one.id, first, one.sign('login', one.id, first))).toBe(401);
		const forOther = await challenge(one.id);
		expect(await answer(two.id, forOther, two.sign('login', two.id, forOther))).toBe(401);
		const byOther = await challenge(one.id);
		expect(await answer(one.id, byOther, two.sign('login', one.id, byOther))).toBe(401);
		const otherPurpose = await challenge(one.id);
		expect(await answer(one.id, otherPurpose, one.sign('register', one.id, otherPurpose))).toBe(401);
		const invented = 'x'.repeat(43);
		expect(await answer(one.id, invented, one.sign('login', one.id, invented))).toBe(401);
		const elsewhere = await challenge(one.id);
		expect(await answer(one.id, elsewhere, one.sign('login', one.id, elsewhere), `http://localhost:${port}`)).toBe(401);
		const late = await challenge(one.id);
		now += 30_000;
		expect(await answer(one.id, late, one.sign('login', one.id, late))).toBe(401);
		expect(await challenge(one.id, `http://localhost:${port}`)).toBeUndefined();
		expect(await challenge('a'.repeat(16))).toBeUndefined();
	});

	it('has a bearer that expires after minutes and is valid only for its own page', async () => {
		let now = 1_000_000;
		await using rig = await startTestGateway({ now: () => now });
		const device = await rig.addDevice();
		const headers = await device.logIn();
		const reading = async (sent: Record<string, string>) => (await rig.call({ path: '/api/v1/asks', headers: sent })).status;
		expect(await reading(headers)).toBe(200);
		const { authorization } = headers;
		expect(await reading({ authorization })).toBe(403);
		expect(await reading({ authorization, origin: `http://localhost:${rig.gateway.port}` })).toBe(403);
		now += 5 * 60_000;
		expect(await reading(headers)).toBe(401);
		expect(await reading(await device.logIn())).toBe(200);
	});
});

describe('wrong credentials', () => {
	it('get five 401 responses a minute and then 429, over HTTP, the upgrade and the login together', async () => {
		let now = 1_000_000;
		await using rig = await startTestGateway({ now: () => now });
		const { port, url } = rig.gateway;
		const wrong = async () => (await rig.call({ path: '/api/v1/asks', headers: WRONG })).status;
		expect([await wrong(), await wrong(), await wrong(), await wrong()]).toEqual([401, 401, 401, 401]);
		expect(await upgradeRaw({ port, headers: WRONG })).toMatchObject({ status: 401 });
		expect(await wrong()).toBe(429);
		expect(await upgradeRaw({ port, headers: WRONG })).toMatchObject({ status: 429 });
		const key = createTestKey(url);
		const signature = key.sign('register', key.publicKey, 'guess');
		const guesses = {
			devices: { ticket: 'guess', name: 'x', publicKey: key.publicKey, signature },
			challenges: { deviceId: 'a'.repeat(16) },
			bearers: { deviceId: 'a'.repeat(16), challenge: 'guess', signature },
		};
		for (const [path, body] of Object.entries(guesses)) {
			expect.soft((await postJson(port, `/api/v1/${path}`, body, { origin: url })).status, path).toBe(429);
		}
		now += 60_001;
		expect(await wrong()).toBe(401);
	});

	it('from another process lock out neither the token nor a device', async () => {
		await using rig = await startTestGateway();
		const device = await rig.addDevice();
		for (let attempt = 0; attempt < 20; attempt++) await rig.call({ path: '/api/v1/asks', headers: WRONG });
		expect((await rig.call({ path: '/api/v1/asks' })).status).toBe(200);
		expect((await rig.call({ path: '/api/v1/asks', headers: await device.logIn() })).status).toBe(200);
		await rig.addDevice();
	});
});

describe('gateway output', () => {
	it('has the security headers on every response', async () => {
		await using rig = await startTestGateway();
		const answers = [
			await rig.call({ path: '/healthz', headers: {} }),
			await rig.call({ path: '/api/v1/sessions' }),
			await rig.call({ path: '/api/v1/sessions', headers: {} }),
			await rig.call({ path: '/nowhere' }),
			await rig.call({ path: '/%zz' }),
			await rig.call({ path: '/healthz', headers: { host: 'evil.com' } }),
			await rig.post('/api/v1/rules', { tool: 1 }),
			await rig.post('/api/v1/devices', {}),
		];
		for (const { status, headers } of answers) expect.soft(headers, String(status)).toMatchObject(SECURITY_HEADERS);
		expect(SECURITY_HEADERS['content-security-policy']).not.toContain('unsafe');
		const upgrade = 'GET /api/v1/stream HTTP/1.1\r\nHost: evil.com\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n';
		for (const bytes of [upgrade, 'this is not http\r\n\r\n']) {
			const answer = await exchange(rig.gateway.port, bytes);
			for (const [name, value] of Object.entries(SECURITY_HEADERS)) expect.soft(answer).toContain(`${name}: ${value}\r\n`);
		}
	});

	it('never writes a secret to the log', async () => {
		await using rig = await startTestGateway();
		const { authorization } = await (await rig.addDevice()).logIn();
		const ticket = await ticketOf(rig);
		await rig.call({ path: `/?ticket=${ticket}`, headers: { host: 'evil.com' } });
		await rig.call({ path: '/api/v1/asks', headers: { authorization } });
		await rig.call({ path: `/api/v1/asks?token=${TEST_TOKEN}`, headers: { ...BEARER, origin: 'http://evil.com' } });
		expect(rig.logged.length).toBeGreaterThanOrEqual(3);
		const written = JSON.stringify(rig.logged);
		for (const secret of [TEST_TOKEN, ticket, authorization.slice(7)]) expect(written).not.toContain(secret);
	});
});

async function ticketOf(rig: TestGateway): Promise<string> {
	return JSON.parse((await rig.post('/api/v1/tickets', {})).body).ticket;
}

async function exchange(port: number, bytes: string): Promise<string> {
	const socket = connect(port, '127.0.0.1');
	socket.write(bytes);
	return await text(socket);
}
