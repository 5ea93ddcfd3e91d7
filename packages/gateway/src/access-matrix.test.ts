// Who gets in: every route the router knows, from every origin, with every credential. A new route is in here by itself.
import { sendRaw } from '@roost/testkit/rigs/raw-http';
import { upgradeRaw } from '@roost/testkit/rigs/raw-stream';
import { BEARER, startTestGateway, type TestGateway } from '@roost/testkit/rigs/test-gateway';
import { describe, expect, it } from 'vitest';

/** The page's files hold no data; what they show they ask for with the cookie. */
const OPEN = new Set(['GET /healthz', 'GET /login/:ticket', 'GET /', 'GET /page.js', 'GET /page.css']);
const BEARER_ONLY = new Set([
	'POST /api/v1/tickets',
	'POST /api/v1/launches',
	'POST /api/v1/launches/:id/end',
	'POST /api/v1/launches/decider',
	'DELETE /api/v1/logins',
]);
const NO_LIMIT = { limits: { wrongPerMinute: 1_000_000 } };

type Door = { name: string; knock(headers: Record<string, string>): Promise<{ status: number }> };
type Origin = 'own' | 'evil' | 'null' | 'lookalike' | 'missing';
type Credential = 'bearer' | 'cookie' | 'wrong bearer' | 'wrong cookie' | 'none';
/** What a browser says about where a request comes from; `absent` is a program, or an old browser. */
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
				await opened[Symbol.asyncDispose]();
				return { status: 101 };
			},
		}),
	);
	return [...doors, ...upgrades];
}

function expectedRefusal(door: string, origin: Origin, credential: Credential, site: Site = 'absent'): 401 | 403 | undefined {
	if (origin !== 'own' && origin !== 'missing') return 403;
	if (OPEN.has(door)) return undefined;
	if (credential === 'none' || credential === 'wrong bearer') return 401;
	if (credential === 'bearer') return undefined;
	if (origin === 'missing' && !(site === 'same-origin' && door.startsWith('GET '))) return 403;
	if (credential === 'wrong cookie') return 401;
	return BEARER_ONLY.has(door) ? 403 : undefined;
}

describe('the access matrix', { timeout: 120_000 }, () => {
	it('covers the routes of the API and the upgrade', async () => {
		await using rig = await startTestGateway();
		const names = doorsOf(rig).map(({ name }) => name);
		expect(names).toEqual(
			expect.arrayContaining([
				...OPEN,
				...BEARER_ONLY,
				'GET /api/v1/sessions',
				'UPGRADE /api/v1/stream',
				'UPGRADE /api/v1/terminals/x',
			]),
		);
		expect(names.length).toBeGreaterThanOrEqual(17);
	});

	it('lets in only own origins with a credential, on every route', async () => {
		await using rig = await startTestGateway(NO_LIMIT);
		for (const door of doorsOf(rig)) {
			for (const origin of ['own', 'evil', 'null', 'lookalike', 'missing'] as const) {
				for (const credential of ['bearer', 'cookie', 'wrong bearer', 'wrong cookie', 'none'] as const) {
					const { status } = await door.knock(await headersOf(rig, origin, credential, 'absent'));
					const label = `${door.name}, ${origin} origin, ${credential}`;
					expect.soft(refusalOf(door, status), label).toBe(expectedRefusal(door.name, origin, credential));
				}
			}
		}
	});

	it("takes a cookie without an origin only where the browser itself says that Roost's own page reads", async () => {
		await using rig = await startTestGateway(NO_LIMIT);
		for (const door of doorsOf(rig)) {
			for (const origin of ['evil', 'null', 'lookalike', 'missing'] as const) {
				for (const credential of ['bearer', 'cookie', 'wrong cookie', 'none'] as const) {
					for (const site of SITES) {
						const { status } = await door.knock(await headersOf(rig, origin, credential, site));
						const label = `${door.name}, ${origin} origin, ${credential}, Sec-Fetch-Site: ${site}`;
						expect.soft(refusalOf(door, status), label).toBe(expectedRefusal(door.name, origin, credential, site));
					}
				}
			}
		}
	});

	it('serves no other host, on every route and whatever the credential', async () => {
		await using rig = await startTestGateway();
		const { port, url } = rig.gateway;
		for (const door of doorsOf(rig)) {
			for (const host of ['evil.com', `evil.com:${port}`, '127.0.0.1', `127.0.0.1:${port + 1}`, `localhost.evil.com:${port}`]) {
				const { status } = await door.knock({ ...BEARER, host, origin: url });
				expect.soft(status, `${door.name}, Host: ${host}`).toBe(403);
			}
		}
	});

	it('answers to its own loopback names', async () => {
		await using rig = await startTestGateway();
		const { port } = rig.gateway;
		for (const host of [`127.0.0.1:${port}`, `localhost:${port}`, `[::1]:${port}`, `LOCALHOST:${port}`]) {
			const { status } = await rig.call({ path: '/api/v1/sessions', headers: { ...BEARER, host } });
			expect.soft(status, host).toBe(200);
		}
	});

	it('checks what no route knows, so that nothing can be learned by asking', async () => {
		await using rig = await startTestGateway();
		for (const path of [
			'/nowhere',
			'/api/v1/sessions/',
			'//healthz',
			'/healthz/',
			'/login/',
			'/login/a/b',
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

/** A login of its own each time: some routes end it. */
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
		bearer: BEARER,
		cookie: credential === 'cookie' ? { cookie: await rig.logIn() } : {},
		'wrong bearer': { authorization: 'Bearer wrong-wrong-wrong-wrong-wrong-wrong' },
		'wrong cookie': { cookie: `roost-${port}=wrong` },
		none: {},
	};
	return { ...origins[origin], ...credentials[credential], ...(site === 'absent' ? {} : { 'sec-fetch-site': site }) };
}

function refusalOf({ name }: Door, status: number): number | undefined {
	// The ticket itself is wrong here, which the route says, not the checks.
	if (name === 'GET /login/:ticket' && status === 401) return undefined;
	return status === 401 || status === 403 ? status : undefined;
}
