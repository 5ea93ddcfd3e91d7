import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { upgradeRaw } from '@roost/testkit/rigs/raw-stream';
import { BEARER, startTestGateway, TEST_TOKEN } from '@roost/testkit/rigs/test-gateway';
import { describe, expect, it } from 'vitest';
import { SECURITY_HEADERS } from './headers.ts';

const WRONG = { authorization: 'Bearer wrong-wrong-wrong-wrong-wrong-wrong' };

describe('a ticket', () => {
	it('becomes a cookie that scripts and other sites never see, and leads to the page', async () => {
		await using rig = await startTestGateway();
		const issued = await rig.post('/api/v1/tickets', {});
		expect(issued.status).toBe(201);
		const { path, ticket } = JSON.parse(issued.body);
		expect(path).toBe(`/login/${ticket}`);
		const login = await rig.call({ path, headers: {} });
		expect(login.status).toBe(303);
		expect(login.headers.location).toBe('/');
		expect(login.headers['set-cookie']?.[0]).toMatch(
			new RegExp(`^roost-${rig.gateway.port}=[\\w-]{43}; HttpOnly; SameSite=Strict; Path=/; Max-Age=86400$`),
		);
	});

	it('works once', async () => {
		await using rig = await startTestGateway();
		const { path } = JSON.parse((await rig.post('/api/v1/tickets', {})).body);
		expect((await rig.call({ path, headers: {} })).status).toBe(303);
		const again = await rig.call({ path, headers: {} });
		expect(again.status).toBe(401);
		expect(again.headers['set-cookie']).toBeUndefined();
	});

	it('is too old after 30 seconds', async () => {
		let now = 1_000_000;
		await using rig = await startTestGateway({ now: () => now });
		const young = JSON.parse((await rig.post('/api/v1/tickets', {})).body);
		const old = JSON.parse((await rig.post('/api/v1/tickets', {})).body);
		now += 29_999;
		expect((await rig.call({ path: young.path, headers: {} })).status).toBe(303);
		now += 1;
		expect((await rig.call({ path: old.path, headers: {} })).status).toBe(401);
	});

	it('gives a login that ends', async () => {
		let now = 1_000_000;
		await using rig = await startTestGateway({ now: () => now });
		const headers = { cookie: await rig.logIn(), origin: rig.gateway.url };
		expect((await rig.call({ path: '/api/v1/asks', headers })).status).toBe(200);
		now += 24 * 3_600_000;
		expect((await rig.call({ path: '/api/v1/asks', headers })).status).toBe(401);
	});
});

describe('wrong credentials', () => {
	it('are refused five times a minute and then with 429, over HTTP, the upgrade and the login alike', async () => {
		let now = 1_000_000;
		await using rig = await startTestGateway({ now: () => now });
		const { port } = rig.gateway;
		const wrong = async () => (await rig.call({ path: '/api/v1/asks', headers: WRONG })).status;
		expect([await wrong(), await wrong(), await wrong(), await wrong()]).toEqual([401, 401, 401, 401]);
		expect(await upgradeRaw({ port, headers: WRONG })).toMatchObject({ status: 401 });
		expect(await wrong()).toBe(429);
		expect(await upgradeRaw({ port, headers: WRONG })).toMatchObject({ status: 429 });
		expect((await rig.call({ path: '/login/guess', headers: {} })).status).toBe(429);
		expect(
			(await rig.call({ path: '/api/v1/asks', headers: { cookie: `roost-${port}=x`, origin: rig.gateway.url } })).status,
		).toBe(429);
		now += 60_001;
		expect(await wrong()).toBe(401);
	});

	it('of somebody else on this machine do not lock out who knows the token', async () => {
		await using rig = await startTestGateway();
		for (let attempt = 0; attempt < 20; attempt++) await rig.call({ path: '/api/v1/asks', headers: WRONG });
		expect((await rig.call({ path: '/api/v1/asks' })).status).toBe(200);
	});
});

describe('what leaves the gateway', () => {
	it('carries the security headers, whatever the answer', async () => {
		await using rig = await startTestGateway();
		const answers = [
			await rig.call({ path: '/healthz', headers: {} }),
			await rig.call({ path: '/api/v1/sessions' }),
			await rig.call({ path: '/api/v1/sessions', headers: {} }),
			await rig.call({ path: '/nowhere' }),
			await rig.call({ path: '/%zz' }),
			await rig.call({ path: '/healthz', headers: { host: 'evil.com' } }),
			await rig.post('/api/v1/rules', { tool: 1 }),
			await rig.call({ path: JSON.parse((await rig.post('/api/v1/tickets', {})).body).path, headers: {} }),
		];
		for (const { status, headers } of answers) expect.soft(headers, String(status)).toMatchObject(SECURITY_HEADERS);
		expect(SECURITY_HEADERS['content-security-policy']).not.toContain('unsafe');
		const upgrade = 'GET /api/v1/stream HTTP/1.1\r\nHost: evil.com\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n';
		for (const bytes of [upgrade, 'this is not http\r\n\r\n']) {
			const answer = await exchange(rig.gateway.port, bytes);
			for (const [name, value] of Object.entries(SECURITY_HEADERS)) expect.soft(answer).toContain(`${name}: ${value}\r\n`);
		}
	});

	it('never puts a secret into the log', async () => {
		await using rig = await startTestGateway();
		const cookie = await rig.logIn();
		const { ticket } = JSON.parse((await rig.post('/api/v1/tickets', {})).body);
		await rig.call({ path: `/login/${ticket}`, headers: { host: 'evil.com' } });
		await rig.call({ path: '/api/v1/asks', headers: { cookie } });
		await rig.call({ path: `/api/v1/asks?token=${TEST_TOKEN}`, headers: { ...BEARER, origin: 'http://evil.com' } });
		expect(rig.logged.length).toBeGreaterThanOrEqual(3);
		const written = JSON.stringify(rig.logged);
		for (const secret of [TEST_TOKEN, ticket, cookie.split('=')[1] ?? '']) expect(written).not.toContain(secret);
	});
});

async function exchange(port: number, bytes: string): Promise<string> {
	const socket = connect(port, '127.0.0.1');
	socket.write(bytes);
	return await text(socket);
}
