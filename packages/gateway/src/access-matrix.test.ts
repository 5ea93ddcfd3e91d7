// Access: every route of the router, from every origin, with every credential. New routes are included automatically.
import type { IncomingHttpHeaders } from 'node:http';
import { NOT_ADMITTED } from '@roost/protocol/api/devices';
import { sendRaw } from '@roost/testkit/rigs/api/raw-http';
import { upgradeRaw } from '@roost/testkit/rigs/api/raw-stream';
import { BEARER, startTestGateway, TEST_TOKEN, type TestGateway } from '@roost/testkit/rigs/api/test-gateway';
import { waitFor } from '@roost/testkit/rigs/wait-for';
import { describe, expect, it } from 'vitest';

/** The page's files contain no data; a login is proven by its body. */
const OPEN = new Set([
	'GET /healthz',
	...['/', '/index.html', '/sw.js', '/manifest.webmanifest', '/icon.svg'].map((path) => `GET ${path}`),
	...['/icon-192.png', '/icon-512.png', '/icon-maskable-512.png', '/apple-touch-icon.png'].map((path) => `GET ${path}`),
	...['devices', 'challenges', 'bearers'].map((path) => `POST /api/v1/${path}`),
]);
const TOKEN_ONLY = new Set([
	'POST /api/v1/tickets',
	'POST /api/v1/launches',
	'GET /api/v1/launches/:id',
	'POST /api/v1/launches/:id/end',
	'POST /api/v1/launches/decider',
	'DELETE /api/v1/devices',
	'POST /api/v1/hub/connect',
]);
const DEVICE_ONLY = new Set([
	'GET /api/v1/push/key',
	'POST /api/v1/push/subscriptions',
	'DELETE /api/v1/push/subscriptions',
	'POST /api/v1/push/test',
]);
const NO_LIMIT = { limits: { wrongPerMinute: 1_000_000 } };

type Knocked = { status: number; headers?: IncomingHttpHeaders };
type Door = { name: string; knock(headers: Record<string, string>): Promise<Knocked> };
type Origin = 'own' | 'evil' | 'null' | 'lookalike' | 'missing';
const CREDENTIALS = ['token', 'device', 'wrong bearer', 'cookie', 'none'] as const;
type Credential = (typeof CREDENTIALS)[number];
/** The site that a browser reports for a request; `absent` is a program, or an old browser. */
const SITES = ['absent', 'same-origin', 'same-site', 'cross-site', 'none', 'same-origin, same-origin'] as const;
type Site = (typeof SITES)[number];

function doorsOf({ gateway }: TestGateway): Door[] {
	const { port } = gateway;
	const doors = gateway.routes().map(({ method, url }): Door => {
		const path = url.replaceAll(/:\w+/g, 'x');
		return { name: `${method} ${url}`, knock: (headers) => sendRaw({ port, method, path, headers }) };
	});
	const upgrades = ['/api/v1/stream', '/api/v1/terminals/x'].map(
		(path): Door => ({
			name: `UPGRADE ${path}`,
			async knock(headers) {
				const opened = await upgradeRaw({ port, path, headers });
				if ('status' in opened) return opened;
				// A socket without a credential is admitted by its first frame, and this one has no bearer.
				opened.sendText('{"type":"ping"}');
				await waitFor(() => (opened.closed() ?? opened.texts.length > 0) || undefined, { what: 'an answer' });
				const status = opened.closed() === NOT_ADMITTED ? 401 : 101;
				await opened[Symbol.asyncDispose]();
				return { status };
			},
		}),
	);
	return [...doors, ...upgrades];
}

function expectedRefusal(door: string, origin: Origin, credential: Credential, site: Site = 'absent'): 401 | 403 | undefined {
	if (origin !== 'own' && origin !== 'missing') return 403;
	if (OPEN.has(door) || door.startsWith('GET /assets/')) return undefined;
	if (credential === 'token') return DEVICE_ONLY.has(door) ? 403 : undefined;
	// Credentials that a browser cannot send with an upgrade do not count there.
	if (credential !== 'device' || door.startsWith('UPGRADE')) return 401;
	if (origin === 'missing' && !(site === 'same-origin' && door.startsWith('GET '))) return 403;
	return TOKEN_ONLY.has(door) ? 403 : undefined;
}

describe('access matrix', { timeout: 120_000 }, () => {
	it('covers the routes of the API and the upgrade', async () => {
		await using rig = await startTestGateway();
		const names = doorsOf(rig).map(({ name }) => name);
		expect(names).toEqual(
			expect.arrayContaining([
				...OPEN,
				...TOKEN_ONLY,
				...DEVICE_ONLY,
				'GET /api/v1/sessions',
				'UPGRADE /api/v1/stream',
				'UPGRADE /api/v1/terminals/x',
			]),
		);
		expect(names.length).toBeGreaterThanOrEqual(17);
	});

	it('admits only allowed origins with a credential, on every route', async () => {
		await using rig = await startTestGateway(NO_LIMIT);
		for (const door of doorsOf(rig)) {
			for (const origin of ['own', 'evil', 'null', 'lookalike', 'missing'] as const) {
				for (const credential of CREDENTIALS) {
					const { status, headers } = await door.knock(await headersOf(rig, origin, credential, 'absent'));
					const label = `${door.name}, ${origin} origin, ${credential}`;
					expect.soft(refusalOf(status), label).toBe(expectedRefusal(door.name, origin, credential));
					expect.soft(headers?.['set-cookie'], label).toBeUndefined();
				}
			}
		}
	});

	it('admits a device without an origin only for reads that the browser marks as same-origin', async () => {
		await using rig = await startTestGateway(NO_LIMIT);
		for (const door of doorsOf(rig)) {
			for (const origin of ['evil', 'null', 'lookalike', 'missing'] as const) {
				for (const credential of ['token', 'device', 'cookie'] as const) {
					for (const site of SITES) {
						const { status } = await door.knock(await headersOf(rig, origin, credential, site));
						const label = `${door.name}, ${origin} origin, ${credential}, Sec-Fetch-Site: ${site}`;
						expect.soft(refusalOf(status), label).toBe(expectedRefusal(door.name, origin, credential, site));
					}
				}
			}
		}
	});

	it('serves no other host, on any route and with any credential', async () => {
		await using rig = await startTestGateway();
		const { port, url } = rig.gateway;
		for (const door of doorsOf(rig)) {
			for (const host of ['evil.com', `evil.com:${port}`, '127.0.0.1', `127.0.0.1:${port + 1}`, `localhost.evil.com:${port}`]) {
				const { status } = await door.knock({ ...BEARER, host, origin: url });
				expect.soft(status, `${door.name}, Host: ${host}`).toBe(403);
			}
		}
	});

	it('accepts its own loopback names as host', async () => {
		await using rig = await startTestGateway();
		const { port } = rig.gateway;
		for (const host of [`127.0.0.1:${port}`, `localhost:${port}`, `[::1]:${port}`, `LOCALHOST:${port}`]) {
			const { status } = await rig.call({ path: '/api/v1/sessions', headers: { ...BEARER, host } });
			expect.soft(status, host).toBe(200);
		}
	});

	it('checks unknown routes too, so that they reveal nothing about the API', async () => {
		await using rig = await startTestGateway();
		for (const path of [
			'/nowhere',
			'/api/v1/sessions/',
			'//healthz',
			'/healthz/',
			'/login/x',
			'/device.js/',
			'/%zz',
			'/api/v1/%2e%2e/healthz',
		]) {
			expect.soft((await rig.call({ path, headers: {} })).status, path).toBe(401);
		}
		for (const method of ['OPTIONS', 'HEAD', 'PUT', 'PATCH']) {
			expect.soft((await rig.call({ method, path: '/api/v1/sessions', headers: {} })).status, method).toBe(401);
		}
	});
});

async function headersOf(rig: TestGateway, origin: Origin, credential: Credential, site: Site): Promise<Record<string, string>> {
	const { url, port } = rig.gateway;
	const origins: Record<Origin, Record<string, string>> = {
		own: { origin: url },
		evil: { origin: 'http://evil.com' },
		null: { origin: 'null' },
		lookalike: { origin: `http://localhost.evil.com:${port}` },
		missing: {},
	};
	const credentials: Record<Credential, Record<string, string>> = {
		token: BEARER,
		device: { authorization: credential === 'device' ? await bearerIn(rig) : '' },
		'wrong bearer': { authorization: 'Bearer wrong-wrong-wrong-wrong-wrong-wrong' },
		// Valid header values are not accepted in a cookie.
		cookie: { cookie: ['token', `roost-${port}`, 'bearer'].map((name) => `${name}=${TEST_TOKEN}`).join('; ') },
		none: {},
	};
	return { ...origins[origin], ...credentials[credential], ...(site === 'absent' ? {} : { 'sec-fetch-site': site }) };
}

const bearers = new WeakMap<TestGateway, string>();

/** The bearer of one device; of a new one if a route has revoked it. */
async function bearerIn(rig: TestGateway): Promise<string> {
	const isKnown = rig.world.backend.deviceBook.list().length > 0;
	const bearer = (isKnown && bearers.get(rig)) || (await (await rig.addDevice()).logIn()).authorization;
	bearers.set(rig, bearer);
	return bearer;
}

function refusalOf(status: number): number | undefined {
	return status === 401 || status === 403 ? status : undefined;
}
