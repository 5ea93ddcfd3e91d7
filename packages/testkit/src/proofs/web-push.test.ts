// Notifications in a real browser, over a real runner and a push service on this machine. Only the browser's own
// subscription is played: its push service is out of reach.
import type { BrowserContext, CDPSession, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type FakePushService, startPushService } from '../fakes/push-service.ts';
import { type Chromium, runInPage, startChromium } from '../rigs/api/chromium.ts';
import { cannotRun, program } from '../rigs/requirements.ts';
import { askToUse, type RunnerProcess, startRunnerProcess } from '../rigs/runner/runner-rig.ts';
import { waitFor } from '../rigs/wait-for.ts';
import { DESK, openPage } from '../rigs/web/open-page.ts';

describe.skipIf(cannotRun([program('chromium')]))('notifications in a browser', { timeout: 120_000 }, () => {
	let chromium: Chromium;
	beforeAll(async () => {
		chromium = await startChromium({ windows: true });
	});
	afterAll(() => chromium[Symbol.asyncDispose]());

	it('are turned on in the page, and show the number of requests and their address, but no text of them', async () => {
		await using world = await openWorld(chromium);
		await world.turnOn();
		const key = await world.subscribedWith();
		await world.leave();
		const [decided] = await world.ask('rm -rf secret-folder');
		const [push = ''] = await world.pushes(1);
		expect(JSON.parse(push)).toEqual({ count: 1, ask: expect.any(String), runner: 'default' });
		expect(world.service.received[0]?.publicKey).toBe(key);
		await world.deliver(push);
		const path = `/?ask=${JSON.parse(push).ask}`;
		const expected = [{ title: '1 request pending', body: 'Roost on default', tag: 'asks', data: { path } }];
		expect(await waitFor(async () => ((await world.shown()).length > 0 ? await world.shown() : undefined), SHOWN)).toEqual(
			expected,
		);

		// Answered elsewhere: a second push closes it.
		await world.deny();
		await decided;
		const [, close = ''] = await world.pushes(2);
		expect(JSON.parse(close)).toEqual({ count: 0, runner: 'default' });
		await world.deliver(close);
		// While one replaces another, there is none for a moment.
		let without = 0;
		const countWithout = async () => {
			without = (await world.shown()).length === 0 ? without + 1 : 0;
			return without >= 10 || undefined;
		};
		await waitFor(countWithout, { what: 'no notification', deadlineMs: 20_000 });
		expect(world.complaints).toEqual([]);
	});

	it('open the request when they are tapped', async () => {
		await using world = await openWorld(chromium);
		await world.turnOn();
		await world.hide();
		await world.ask('npm test');
		await waitFor(async () => (await world.shown())[0], SHOWN);
		await world.tap();
		await world.page.waitForURL(/\/\?ask=/);
		await world.page.waitForSelector('[data-ask]:has-text("npm test")');
	});

	it('are shown by a hidden page itself, with the number in its title', async () => {
		await using world = await openWorld(chromium);
		await world.turnOn();
		await world.hide();
		await world.ask('npm test');
		await waitFor(async () => (await world.shown())[0], SHOWN);
		expect(await world.page.title()).toBe('(1) Roost');
		expect(await world.shown()).toMatchObject([{ title: '1 request pending', tag: 'asks' }]);
	});

	it('are not sent while a page is visible, and not to a revoked device', async () => {
		await using world = await openWorld(chromium);
		await world.turnOn();
		await world.page.click('button:text("Send a test")');
		const [test] = await world.pushes(1);
		expect(JSON.parse(test ?? '')).toEqual({ count: 0, runner: 'default', test: true });
		const [decided] = await world.ask('npm test');
		await world.page.waitForFunction('document.title === "(1) Roost"');
		// Longer than a push would take: the next one is sent after it, and is the only one.
		await world.announced();
		expect(await world.shown()).toEqual([]);
		await world.deny();
		await decided;
		const { id } = JSON.parse((await world.roost.call('GET', '/api/v1/devices')).body)[0];
		await world.roost.call('DELETE', `/api/v1/devices/${id}`);
		await world.page.waitForSelector('[data-state="logged-out"]');
		await world.ask('npm publish');
		await world.announced();
		expect(world.service.requests()).toBe(1);
	});
});

async function openWorld(chromium: Chromium) {
	await using stack = new AsyncDisposableStack();
	const service = stack.use(await startPushService());
	const roost = stack.use(await startRunnerProcess({ config: { runner: { port: 0 }, push: { hosts: [service.host] } } }));
	const opened = stack.use(await openPage(chromium, roost, { ...DESK, permissions: ['notifications'] }));
	const { page } = opened;
	const worker = await reachWorker(page, roost);
	const owned = stack.move();
	let asked = 0;
	return {
		...opened,
		...worker,
		roost,
		service,
		async turnOn() {
			await opened.go('/devices');
			await runInPage(page, playSubscription(service));
			await page.click('button:text("Turn on")');
			await page.waitForSelector('[data-state="on"]:has-text("also while Roost is closed")');
		},
		subscribedWith: () => runInPage(page, 'return globalThis.subscribedWith'),
		hide: () => hide(page),
		/** No page of Roost is open. */
		leave: () => page.goto('about:blank'),
		/** Each in a session of its own. In a list, because the decision itself is awaited later. */
		async ask(command: string): Promise<[Promise<unknown>]> {
			const agent = await roost.openLaunch();
			const native = `5f0c8f7e-0000-4000-8000-00000000010${asked++}`;
			const before = (await pendingOf(roost)).length;
			const decided = askToUse(agent, 'Bash', { command }, native).catch(() => undefined);
			await waitFor(async () => ((await pendingOf(roost)).length > before ? true : undefined), { what: 'the request' });
			return [decided];
		},
		async deny() {
			for (const { sessionId, id, nonce } of await pendingOf(roost)) {
				await roost.call('POST', `/api/v1/sessions/${sessionId}/approve`, { askId: id, nonce, decision: 'deny' });
			}
		},
		pushes: (count: number) =>
			waitFor(() => (service.received.length >= count ? service.received.map(({ text }) => text) : undefined), {
				what: `push ${count}`,
			}),
		/** Resolves after the runner would have announced the open request. */
		async announced() {
			const [first] = await pendingOf(roost);
			await waitFor(() => (Date.now() - (first?.openedAt ?? 0) > ANNOUNCED_MS ? true : undefined), {
				what: 'the time to announce',
			});
		},
		[Symbol.asyncDispose]: () => owned.disposeAsync(),
	};
}

const ANNOUNCED_MS = 4_000;
const SHOWN = { what: 'a notification' };

type Pending = { id: string; sessionId: string; nonce: string; openedAt: number };

async function pendingOf(roost: RunnerProcess): Promise<Pending[]> {
	return JSON.parse((await roost.call('GET', '/api/v1/asks')).body);
}

/** In place of the service of the browser, which is out of reach. */
function playSubscription(service: FakePushService): string {
	return `
		const made = ${JSON.stringify(service.subscribe())};
		PushManager.prototype.subscribe = async ({ applicationServerKey }) => {
			globalThis.subscribedWith = applicationServerKey;
			return { ...made, toJSON: () => ({ ...made, expirationTime: null }) };
		};
	`;
}

/** As the browser reports a tab in the background. */
async function hide(page: Page): Promise<void> {
	await runInPage(
		page,
		`Object.defineProperty(document, 'visibilityState', { get: () => 'hidden', configurable: true });
		document.dispatchEvent(new Event('visibilitychange'));`,
	);
}

type Shown = { title: string; body: string; tag: string; data: unknown };

/** The service worker of the page, through the tools of the browser. */
async function reachWorker(page: Page, { url }: RunnerProcess) {
	const context: BrowserContext = page.context();
	const session: CDPSession = await context.newCDPSession(page);
	let registrationId = '';
	session.on('ServiceWorker.workerRegistrationUpdated', ({ registrations }) => {
		registrationId = registrations.find(({ isDeleted }) => !isDeleted)?.registrationId ?? registrationId;
	});
	await session.send('ServiceWorker.enable');
	await runInPage(page, 'await navigator.serviceWorker.ready');
	await waitFor(() => registrationId || undefined, { what: 'the service worker' });
	const worker = () => context.serviceWorkers()[0] ?? expect.fail('no service worker');
	return {
		deliver: (data: string) => session.send('ServiceWorker.deliverPushMessage', { origin: `${url}/`, registrationId, data }),
		shown: async (): Promise<Shown[]> => JSON.parse(String(await worker().evaluate(READ_SHOWN))),
		tap: () => worker().evaluate(TAP),
	};
}

const READ_SHOWN = `(async () => {
	const shown = await self.registration.getNotifications();
	return JSON.stringify(shown.map(({ title, body, tag, data }) => ({ title, body, tag, data })));
})()`;

const TAP = `(async () => {
	const [notification] = await self.registration.getNotifications();
	self.dispatchEvent(new NotificationEvent('notificationclick', { notification }));
})()`;
