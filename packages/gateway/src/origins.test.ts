// Origins of https proxies: exactly the configured ones are served, on every route and both sockets, and only to devices.
import { sendRaw } from '@roost/testkit/rigs/api/raw-http';
import { upgradeRaw } from '@roost/testkit/rigs/api/raw-stream';
import { BEARER, startTestGateway, type TestGateway } from '@roost/testkit/rigs/api/test-gateway';
import { describe, expect, it } from 'vitest';

const ORIGIN = 'https://roost.tail1234.ts.net';
const OTHER = 'https://roost.example:8443';
const HOST = 'roost.tail1234.ts.net';
const OPTIONS = { origins: [ORIGIN, OTHER], limits: { wrongPerMinute: 1_000_000 } };

const OTHER_HOSTS = [
	'roost.tail1234.ts.net.evil.com',
	'evil-roost.tail1234.ts.net',
	'tail1234.ts.net',
	'roost.tail1234.ts.net.',
	'ROOST.tail1234.ts.net',
	'roost.tail1234.ts.net:443',
	'roost.tail1234.ts.net:80',
	'roost.example',
	'roost.example:8444',
	'user@roost.tail1234.ts.net',
	'roost.tail1234.ts.net@evil.com',
	'roost.tail1234.ts.net/',
	'rebound.evil.com',
	'https://roost.tail1234.ts.net',
	'null',
];

const OTHER_ORIGINS = [
	'http://roost.tail1234.ts.net',
	'https://roost.tail1234.ts.net:8443',
	'https://roost.tail1234.ts.net.',
	'https://ROOST.tail1234.ts.net',
	'https://user@roost.tail1234.ts.net',
	'https://roost.tail1234.ts.net.evil.com',
	'https://evil.com',
	'wss://roost.tail1234.ts.net',
	'null',
	'',
	OTHER,
];

function withAndWithout(...origins: string[]): Record<string, string>[] {
	return [{}, ...origins.map((origin) => ({ origin }))];
}

type Knock = { name: string; status(headers: Record<string, string>): Promise<number> };

/** Every route and both sockets. */
function doorsOf({ gateway: { port, routes } }: TestGateway): Knock[] {
	const doors = routes().map(({ method, url }): Knock => {
		const path = url.replaceAll(/:\w+/g, 'x');
		return { name: `${method} ${url}`, status: async (headers) => (await sendRaw({ port, method, path, headers })).status };
	});
	return [...doors, ...['/api/v1/stream', '/api/v1/terminals/x'].map((path) => socketAt(port, path))];
}

function socketAt(port: number, path: string): Knock {
	return {
		name: `UPGRADE ${path}`,
		async status(headers) {
			const opened = await upgradeRaw({ port, path, headers });
			if ('status' in opened) return opened.status;
			await opened[Symbol.asyncDispose]();
			return 101;
		},
	};
}

describe('origins of proxies', { timeout: 120_000 }, () => {
	it('serve no host that differs from a configured one, on any route or socket, whatever a proxy header says', async () => {
		await using rig = await startTestGateway(OPTIONS);
		const forwarded = { 'x-forwarded-host': HOST, 'x-forwarded-proto': 'https', forwarded: `host=${HOST};proto=https` };
		for (const { name, status } of doorsOf(rig)) {
			for (const host of OTHER_HOSTS) {
				for (const origin of withAndWithout(ORIGIN, `https://${host}`)) {
					expect.soft(await status({ ...BEARER, ...forwarded, ...origin, host }), `${name}, Host: ${host}`).toBe(403);
				}
			}
		}
	});

	it('accept no page of another origin, on any route or socket', async () => {
		await using rig = await startTestGateway(OPTIONS);
		const { authorization } = await (await rig.addDevice(ORIGIN)).logIn();
		for (const { name, status } of doorsOf(rig)) {
			for (const origin of [...OTHER_ORIGINS, rig.url]) {
				expect.soft(await status({ authorization, host: HOST, origin }), `${name}, Origin: ${origin}`).toBe(403);
			}
			// The host of this machine serves pages of this machine.
			const own = { authorization, host: new URL(rig.url).host, origin: ORIGIN };
			expect.soft(await status(own), `${name}, loopback host`).toBe(403);
		}
	});

	it('accept devices and refuse the token, because the process of a caller is not known', async () => {
		await using rig = await startTestGateway(OPTIONS);
		const { port } = rig.gateway;
		const headers = await (await rig.addDevice(ORIGIN)).logIn();
		expect((await sendRaw({ port, path: '/api/v1/sessions', headers })).status).toBe(200);
		const { origin: _, ...reading } = headers;
		expect((await sendRaw({ port, path: '/api/v1/sessions', headers: reading })).status).toBe(403);
		const marked = { ...reading, 'sec-fetch-site': 'same-origin' };
		expect((await sendRaw({ port, path: '/api/v1/sessions', headers: marked })).status).toBe(200);
		for (const origin of withAndWithout(ORIGIN)) {
			const refused = await sendRaw({ port, path: '/api/v1/sessions', headers: { ...BEARER, host: HOST, ...origin } });
			expect(refused).toMatchObject({ status: 403, body: expect.stringContaining('valid on this machine only') });
			expect(await socketAt(port, '/api/v1/stream').status({ ...BEARER, host: HOST, ...origin })).toBe(403);
		}
	});

	it('bind a device to the origin where it was registered', async () => {
		await using rig = await startTestGateway(OPTIONS);
		const { port } = rig.gateway;
		const places = [ORIGIN, OTHER, rig.url];
		for (const registered of places) {
			const device = await rig.addDevice(registered);
			const { authorization } = await device.logIn();
			const bearer = await device.bearer();
			for (const origin of places) {
				const headers = { authorization, origin, host: new URL(origin).host };
				const { status } = await sendRaw({ port, path: '/api/v1/sessions', headers });
				expect.soft(status, `${registered} at ${origin}`).toBe(origin === registered ? 200 : 403);
			}
			const elsewhere = places.find((origin) => origin !== registered) ?? '';
			const socket = await upgradeRaw({ port, headers: { origin: elsewhere, host: new URL(elsewhere).host }, bearer });
			if ('status' in socket) throw new Error('the socket was refused before its bearer');
			await expect.poll(() => socket.closed()).toBe(4401);
			expect(socket.texts).toEqual([]);
			await using own = await rig.open({
				headers: { origin: registered, host: new URL(registered).host },
				bearer,
			});
			await own.frame('hello');
		}
	});

	it('are named with the ticket of a link', async () => {
		await using rig = await startTestGateway(OPTIONS);
		expect(JSON.parse((await rig.post('/api/v1/tickets', {})).body)).toMatchObject({ origins: [ORIGIN, OTHER] });
	});
});
