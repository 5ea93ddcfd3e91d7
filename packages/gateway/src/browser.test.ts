// The page in a real Chromium, over the real gateway: its login, its storage, and what a malicious page on another port gets.

import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import { type Chromium, runInPage, startChromium } from '@roost/testkit/rigs/api/chromium';
import { sendRaw } from '@roost/testkit/rigs/api/raw-http';
import { upgradeRaw } from '@roost/testkit/rigs/api/raw-stream';
import { startTestGateway, type TestGateway } from '@roost/testkit/rigs/api/test-gateway';
import { cannotRun, program } from '@roost/testkit/rigs/requirements';
import { waitFor } from '@roost/testkit/rigs/wait-for';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

const SHOWN = '[role="status"][data-state="live"]';
const EVIL = 'localhost.evil.com';
const LOGGED_OUT = '[data-state="logged-out"]';

describe.skipIf(cannotRun([program('chromium')]))('page in a browser', () => {
	let chromium: Chromium;
	beforeAll(async () => {
		chromium = await startChromium({ windows: true, resolves: EVIL });
	});
	afterAll(() => chromium[Symbol.asyncDispose]());

	it('logs in with the link, shows sessions and requests as text, and logs in with its key after a reload', async () => {
		await using rig = await startTestGateway();
		await rig.world.append('s1', 1);
		const hostile = '<img src=x onerror=alert(1)>\u202E';
		rig.world.openAsk('s1.1', { tool: hostile, input: { command: hostile } });
		const profile = await chromium.profile();
		const link = rig.gateway.link().url;
		const page = await profile.open(link);
		await page.waitForSelector('[data-ask="s1.1"]');
		expect((await page.textContent('[data-ask="s1.1"]'))?.match(/<img src=x onerror=alert\(1\)>\\u\{202e\}/g)).toHaveLength(2);
		expect(await page.locator('img').count()).toBe(0);
		expect(page.url()).toBe(`${rig.gateway.url}/`);
		await page.click('nav a[href="/board"]');
		await page.waitForSelector('[data-session="s1"]');
		// A session that begins while the page is open.
		await rig.world.append('s2', 1);
		await page.waitForSelector('[data-session="s2"]');
		expect(page.url()).toBe(`${rig.gateway.url}/board`);
		await page.reload();
		await page.waitForSelector('[data-session="s1"]');
		expect(rig.world.backend.deviceBook.list()).toMatchObject([{ name: 'Chrome on Linux', origin: rig.gateway.url }]);
		// The ticket is in no address, no history entry and no log.
		const { entries } = await (await profile.context.newCDPSession(page)).send('Page.getNavigationHistory');
		const read = await runInPage(
			page,
			'return [location.href, document.referrer, ...performance.getEntries().map(({ name }) => name)]',
		);
		const ticket = new URLSearchParams(new URL(link).hash.slice(1)).get('ticket') ?? '';
		expect(ticket.length).toBeGreaterThan(20);
		for (const secret of [ticket, rig.token])
			expect(JSON.stringify([entries.map(({ url }) => url), read, rig.logged])).not.toContain(secret);
		// A used link does not work again, in this browser or another one.
		const other = await chromium.profile();
		const again = await other.open(link);
		await again.waitForSelector(LOGGED_OUT);
		expect(await again.textContent(LOGGED_OUT)).toMatch(/already used or has expired.*roost status --link/);
		expect(profile.complaints).toEqual([]);
	});

	it('stores a non-extractable key and no other secret', async () => {
		await using rig = await startTestGateway();
		const profile = await chromium.profile();
		const page = await profile.open(rig.gateway.link().url);
		await page.waitForSelector(SHOWN);
		const kept = await runInPage(page, READ_KEPT);
		expect(kept).toEqual({
			device: { id: rig.world.backend.deviceBook.list()[0]?.id, type: 'private', extractable: false },
			exported: ['pkcs8: InvalidAccessError', 'jwk: InvalidAccessError', 'raw: InvalidAccessError'],
			cookie: '',
			local: expect.toSatisfy((names) => names.toSorted().join() === 'device,seen,server'),
			session: 0,
		});
		expect(await profile.context.cookies()).toEqual([]);
		expect(profile.complaints).toEqual([]);
		await expect(runInPage(page, 'document.body.innerHTML = "planted"')).rejects.toThrow('TrustedHTML');
		await runInPage(page, 'document.body.append(Object.assign(document.createElement("style"), { textContent: "p {}" }))');
		await waitFor(() => (profile.complaints.length >= 2 ? true : undefined), {
			what: 'two complaints',
			seen: () => profile.complaints,
		});
	});

	it('opens its stream with its bearer, and is logged out within two seconds when its device is revoked', async () => {
		await using rig = await startTestGateway();
		const profile = await chromium.profile();
		const page = await profile.open(rig.gateway.link().url);
		await page.waitForSelector(SHOWN);
		expect(rig.gateway.clients()).toBe(1);
		const [device] = rig.world.backend.deviceBook.list();
		await rig.call({ method: 'DELETE', path: `/api/v1/devices/${device?.id}` });
		await waitFor(() => (rig.gateway.clients() === 0 ? true : undefined), { deadlineMs: 2_000, what: 'the socket to be closed' });
		await page.waitForSelector(LOGGED_OUT);
		expect(await page.textContent(LOGGED_OUT)).toMatch(/You are not logged in\..*roost status --link/);
		expect(await page.locator('nav').count()).toBe(0);
	});

	it('is live again after its tab was frozen while the runner restarted', async () => {
		await using rig = await startTestGateway();
		await using tab = await chromium.openTab();
		const shows = (selector: string) =>
			waitFor(async () => (await tab.run(`return document.querySelector(${JSON.stringify(selector)}) !== null`)) || undefined, {
				what: selector,
			});
		await tab.open(rig.gateway.link().url);
		await shows(SHOWN);
		await using other = await chromium.openTab();
		await other.toFront();
		await waitFor(async () => (await tab.run('return document.hidden')) || undefined, { what: 'a hidden tab' });
		await tab.setLifecycle('frozen');
		await rig.stop();
		await rig.start();
		rig.world.openAsk('s1.1');
		await tab.setLifecycle('active');
		await tab.toFront();
		await shows('[data-ask="s1.1"]');
		await shows(SHOWN);
	});

	it('logs out permanently on request', async () => {
		await using rig = await startTestGateway();
		const profile = await chromium.profile();
		const page = await profile.open(rig.gateway.link().url);
		await page.waitForSelector(SHOWN);
		await page.goto(`${rig.gateway.url}/more`);
		await page.click('button:text("Log out")');
		await page.waitForSelector(LOGGED_OUT);
		expect(rig.world.backend.deviceBook.list()).toEqual([]);
		await page.reload();
		await page.waitForSelector(LOGGED_OUT);
	});

	it('leaks nothing to a page on another port: no header, no storage, no accepted request', async () => {
		await using rig = await startTestGateway({ limits: { wrongPerMinute: 1_000_000 } });
		await using thief = await startThiefServer('<!doctype html><title>thief</title>');
		const profile = await chromium.profile();
		const own = await profile.open(rig.gateway.link().url);
		await own.waitForSelector(SHOWN);
		const sites = [
			thief.url,
			`http://localhost:${thief.port}`,
			`http://${EVIL}:${thief.port}`,
			'data:text/html,<title>null</title>',
		];
		for (const url of sites) {
			const page = await profile.open(url);
			expect(await runInPage(page, stealFrom(rig.gateway.url))).toEqual({
				stored: [],
				fetched: ['failed', 'failed', 'failed'],
				socket: 'closed 1006',
				window: 'SecurityError',
			});
		}
		// A name that resolves to this machine makes a page of the same origin, which is refused by its name.
		const rebound = await profile.open(`http://${EVIL}:${rig.gateway.port}/`);
		const statuses = await runInPage(
			rebound,
			`return await Promise.all(['/', '/icon.svg', '/api/v1/overview'].map(async (path) => (await fetch(path)).status))`,
		);
		expect(statuses).toEqual([403, 403, 403]);
		expect(thief.received.length).toBeGreaterThanOrEqual(2);
		for (const { headers } of thief.received) {
			for (const name of ['cookie', 'authorization']) expect.soft(headers).not.toHaveProperty(name);
			expect.soft(JSON.stringify(headers)).not.toContain(`:${rig.gateway.port}`);
		}
		await expectReplayRefused(rig, thief.received);
		await own.reload();
		await own.waitForSelector(SHOWN);
	});
});

/** Replays everything that the malicious page received, with Roost's header names, on every route that needs a credential. */
async function expectReplayRefused(rig: TestGateway, received: readonly { headers: object }[]): Promise<void> {
	const { port, url } = rig.gateway;
	const open =
		/^GET \/(healthz|index\.html|sw\.js|manifest\.webmanifest|[\w-]+\.(?:svg|png)|assets\/[\w.-]+)?$|^POST \/api\/v1\/(devices|challenges|bearers)$/;
	const doors = rig.gateway.routes().filter(({ method, url: path }) => !open.test(`${method} ${path}`));
	expect(doors.length).toBeGreaterThan(50);
	for (const { headers } of received.slice(0, 2)) {
		const forged = { ...headers, host: `127.0.0.1:${port}`, origin: url, 'sec-fetch-site': 'same-origin', connection: 'close' };
		for (const { method, url: path } of doors) {
			const reply = await sendRaw({ port, method, path: path.replaceAll(/:\w+/g, 'x'), headers: forged });
			expect.soft(reply.status, `${method} ${path}`).toBe(401);
		}
		for (const path of ['/api/v1/stream', '/api/v1/terminals/x']) {
			const opened = await upgradeRaw({ port, path, headers: { origin: url } });
			if ('status' in opened) throw new Error(`refused with ${opened.status}`);
			await using socket = opened;
			socket.sendText(JSON.stringify({ type: 'attach', cols: 80, rows: 24, want: 'control' }));
			expect.soft(await waitFor(() => socket.closed(), { what: 'the socket to be closed' }), path).toBe(4401);
			expect.soft(socket.texts, path).toEqual([]);
		}
	}
	expect(rig.world.backend.deviceBook.list()).toHaveLength(1);
}

const READ_KEPT = `
	const opening = indexedDB.open('roost');
	const wait = (request) => new Promise((resolve, reject) => Object.assign(request, { onsuccess: () => resolve(request.result), onerror: reject }));
	const database = await wait(opening);
	const { id, privateKey } = await wait(database.transaction('device').objectStore('device').get('own'));
	const exported = [];
	for (const format of ['pkcs8', 'jwk', 'raw']) {
		await crypto.subtle.exportKey(format, privateKey).then(
			() => exported.push(format + ': exported'),
			(error) => exported.push(format + ': ' + error.name),
		);
	}
	const { type, extractable } = privateKey;
	return { device: { id, type, extractable }, exported, cookie: document.cookie, local: Object.keys(localStorage), session: sessionStorage.length };
`;

/** Everything that a page on another port can try in the user's browser. */
function stealFrom(roost: string): string {
	return `
		const roost = ${JSON.stringify(roost)};
		// A page without an origin has no storage at all.
		const databases = async () => await indexedDB.databases();
		const stored = (await databases().catch(() => [])).map(({ name }) => name);
		const tries = [
			fetch(roost + '/api/v1/overview', { credentials: 'include' }),
			fetch(roost + '/api/v1/terminals', { method: 'POST', credentials: 'include', headers: { 'content-type': 'application/json' }, body: '{}' }),
			fetch(roost + '/icon.svg', { credentials: 'include' }),
		];
		const fetched = (await Promise.allSettled(tries)).map(({ status }) => (status === 'rejected' ? 'failed' : 'answered'));
		const socket = await new Promise((resolve) => {
			const opened = new WebSocket(roost.replace('http', 'ws') + '/api/v1/stream');
			opened.onmessage = () => resolve('heard');
			opened.onopen = () => opened.send('{"type":"ping"}');
			opened.onclose = ({ code }) => resolve('closed ' + code);
		});
		const frame = document.createElement('iframe');
		frame.src = roost;
		const loaded = new Promise((resolve) => (frame.onload = resolve));
		document.body.append(frame);
		await loaded;
		let window = 'readable';
		try {
			frame.contentWindow.document.body.innerText;
		} catch (error) {
			window = error.name;
		}
		return { stored, fetched, socket, window };
	`;
}

type ThiefServer = AsyncDisposable & {
	readonly port: number;
	readonly url: string;
	/** Of every request. */
	readonly received: readonly { path: string; headers: IncomingHttpHeaders }[];
};

/** Another server on this machine that keeps all request headers and answers every request with this page. */
async function startThiefServer(page: string): Promise<ThiefServer> {
	const received: { path: string; headers: IncomingHttpHeaders }[] = [];
	const server = createServer((request, response) => {
		received.push({ path: request.url ?? '', headers: request.headers });
		response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' });
		response.end(page);
	});
	server.listen(0, '127.0.0.1');
	await once(server, 'listening');
	const address = server.address();
	const port = typeof address === 'object' && address ? address.port : 0;
	return {
		port,
		url: `http://127.0.0.1:${port}`,
		received,
		async [Symbol.asyncDispose]() {
			server.closeAllConnections();
			server.close();
			await once(server, 'close');
		},
	};
}
