// A browser and a real runner: the link works once, the key works again after a crash, and revoking ends access.
import { readdir, readFile } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { ticketIssued } from '@roost/protocol/api/devices';
import { describe, expect, it } from 'vitest';
import { runInPage, startChromium } from '../rigs/api/chromium.ts';
import { sendRaw } from '../rigs/api/raw-http.ts';
import { cannotRun, program } from '../rigs/requirements.ts';
import { startRunnerProcess } from '../rigs/runner/runner-rig.ts';

const LIVE = '[role="status"][data-state="live"]';

describe.skipIf(cannotRun([program('chromium')]))('browser of a runner', () => {
	it('reconnects after a crash of the runner without a new link, until its device is revoked', {
		timeout: 180_000,
	}, async () => {
		await using runner = await startRunnerProcess();
		const { url: baseUrl, token } = runner;
		const call = async (method: string, path: string) =>
			await sendRaw({ port: Number(new URL(baseUrl).port), method, path, headers: { authorization: `Bearer ${token}` } });
		const { path } = ticketIssued.parse(JSON.parse((await call('POST', '/api/v1/tickets')).body));
		await using chromium = await startChromium();
		const profile = await chromium.profile();
		const page = await profile.open(`${baseUrl}${path}`);
		await page.waitForSelector(LIVE);
		const before = JSON.parse((await call('GET', '/api/v1/devices')).body);

		await runner.kill();
		await page.waitForSelector('[role="status"][data-state="reconnecting"]');
		await runner.restart();
		expect(runner.url).toBe(baseUrl);
		await page.waitForSelector(LIVE);
		const [device] = JSON.parse((await call('GET', '/api/v1/devices')).body);
		expect(device).toMatchObject({ id: before[0].id, name: 'Chrome on Linux', origin: baseUrl });

		expect((await call('DELETE', `/api/v1/devices/${device.id}`)).status).toBe(200);
		await page.waitForSelector('[data-state="logged-out"]:has-text("You are not logged in")');
		await runner.kill();
		await runner.restart();
		await page.reload();
		await page.waitForSelector('[data-state="logged-out"]:has-text("You are not logged in")');
	});

	it('keeps the token, the ticket of the link and its bearers out of addresses, storage and files of the runner', {
		timeout: 120_000,
	}, async () => {
		await using runner = await startRunnerProcess();
		const { path } = ticketIssued.parse(JSON.parse((await runner.call('POST', '/api/v1/tickets')).body));
		await using chromium = await startChromium();
		const profile = await chromium.profile();
		const addresses: string[] = [];
		const bearers = new Set<string>();
		profile.context.on('request', (request) => {
			addresses.push(request.url());
			const { authorization } = request.headers();
			if (authorization) bearers.add(authorization.replace('Bearer ', ''));
		});
		profile.context.on('page', (opened) => opened.on('websocket', (socket) => addresses.push(socket.url())));
		const page = await profile.open(`${runner.url}${path}`);
		await page.waitForSelector(LIVE);
		await page.goto(`${runner.url}/board`);
		await page.waitForSelector(LIVE);
		// A login that fails is logged.
		await (await profile.context.newPage()).goto(`${runner.url}${path}`);
		const { entries } = await (await profile.context.newCDPSession(page)).send('Page.getNavigationHistory');
		const kept = await runInPage(page, READ_EVERYTHING);

		const ticket = new URLSearchParams(new URL(path, runner.url).hash.slice(1)).get('ticket') ?? '';
		const secrets = [runner.token, ticket, ...bearers];
		expect(secrets.filter((secret) => secret.length > 20).length).toBeGreaterThanOrEqual(4);
		const places: Record<string, string> = {
			// Chromium does not send the fragment of the link, but names it in the event.
			addresses: addresses.filter((address) => !address.endsWith(path)).join('\n'),
			// Without what was typed: the browser keeps that to itself, and the ticket of a link works once.
			history: JSON.stringify(entries.map(({ url, title }) => [url, title])),
			kept: JSON.stringify(kept),
			output: JSON.stringify(runner.program.output()),
			...(await readFiles(runner.home)),
		};
		expect(Object.keys(places).length).toBeGreaterThan(6);
		const found = Object.keys(places).filter((place) => secrets.some((secret) => places[place]?.includes(secret)));
		// The command line reads the token from its own private file.
		expect(found).toEqual(['token']);
	});
});

/** What a script of the page can read. */
const READ_EVERYTHING = `
	const wait = (request) => new Promise((resolve, reject) => Object.assign(request, { onsuccess: () => resolve(request.result), onerror: reject }));
	const databases = [];
	for (const { name } of await indexedDB.databases()) {
		const database = await wait(indexedDB.open(name));
		for (const store of database.objectStoreNames) databases.push(name, store, await wait(database.transaction(store).objectStore(store).getAll()));
	}
	const cached = [];
	for (const name of await caches.keys()) {
		for (const request of await (await caches.open(name)).keys()) cached.push(name, request.url, await (await caches.match(request)).text());
	}
	return [
		location.href, document.referrer, window.name, history.state, document.cookie, document.documentElement.outerHTML,
		{ ...localStorage }, { ...sessionStorage }, databases, cached, performance.getEntries().map(({ name }) => name),
	];
`;

/** Every file below a folder as text, by its path in it. */
async function readFiles(folder: string): Promise<Record<string, string>> {
	const entries = await readdir(folder, { recursive: true, withFileTypes: true });
	const files = entries.filter((entry) => entry.isFile()).map(({ parentPath, name }) => join(parentPath, name));
	const texts = files.map(async (path) => [relative(folder, path), await readFile(path, 'latin1')] as const);
	return Object.fromEntries(await Promise.all(texts));
}
