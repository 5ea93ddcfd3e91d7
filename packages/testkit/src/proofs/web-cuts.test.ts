// A page behind a proxy that breaks its connections at random moments: it shows every event once, and every answer is given once.
import type { Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Chromium, runInPage, startChromium } from '../rigs/api/chromium.ts';
import { cannotRun, program } from '../rigs/requirements.ts';
import { type RunnerProcess, startRunnerProcess } from '../rigs/runner/runner-rig.ts';
import { waitFor } from '../rigs/wait-for.ts';
import { type Asking, openAsking } from '../rigs/web/asking.ts';
import { type HttpsProxy, startHttpsProxy } from '../rigs/web/https-proxy.ts';
import { DESK, PHONE } from '../rigs/web/open-page.ts';

const CUTS = process.env.ROOST_SOAK ? 25 : 4;
const EVENTS_PER_CUT = 80;
const LIVE = '[role="status"][data-state="live"]';
const RECONNECTING = '[role="status"][data-state="reconnecting"]';
const ALLOW = 'dialog button:text-is("Allow once")[aria-disabled="false"]';

describe.skipIf(cannotRun([program('chromium'), program('openssl')]))('page whose connection is cut', () => {
	let world: World;
	beforeAll(async () => {
		world = await openWorld();
	}, 60_000);
	afterAll(() => world[Symbol.asyncDispose]());

	it('shows every event once and in order', { timeout: 60_000 + CUTS * 20_000 }, async () => {
		const { roost, proxy, open } = world;
		const asking = await openAsking(roost);
		const page = await open(`/s/${asking.sessionId}`);
		let sent = 0;
		for (let cut = 0; cut < CUTS; cut += 1) {
			const moment = Math.floor(Math.random() * EVENTS_PER_CUT);
			for (let at = 0; at < EVENTS_PER_CUT; at += 1, sent += 1) {
				if (at === moment) proxy.cut();
				await note(asking, sent);
			}
			await page.waitForSelector(LIVE);
		}
		await page.waitForSelector(`[data-event]:has-text("note ${sent - 1}.")`);
		const events = await asking.events();
		const wanted = events.flatMap(({ kind, event_id }): string[] => (kind === 'notification' ? [event_id] : []));
		expect(wanted).toHaveLength(sent);
		expect((await readFeed(page)).filter((id) => wanted.includes(id))).toEqual(wanted);
	});

	it('shows every event once after the runner was killed, without a new login', { timeout: 120_000 }, async () => {
		const { roost, open } = world;
		const asking = await openAsking(roost, { pid: roost.waiterPid });
		const page = await open(`/s/${asking.sessionId}`);
		for (let at = 0; at < 50; at += 1) await note(asking, at);
		await page.waitForSelector('[data-event]:has-text("note 49.")');
		await roost.kill();
		await page.waitForSelector(RECONNECTING);
		await roost.restart();
		for (let at = 50; at < 100; at += 1) await note(asking, at);
		await page.waitForSelector('[data-event]:has-text("note 99.")');
		await page.waitForSelector(LIVE);
		const events = await asking.events();
		const wanted = events.flatMap(({ kind, event_id }): string[] => (kind === 'notification' ? [event_id] : []));
		expect(wanted).toHaveLength(100);
		expect((await readFeed(page)).filter((id) => wanted.includes(id))).toEqual(wanted);
	});

	it.each([
		['phone', PHONE],
		['desk', DESK],
	])('moves and covers nothing on a %s while the connection is lost', { timeout: 120_000 }, async (_, { viewport }) => {
		const { roost, proxy, open } = world;
		const asking = await openAsking(roost, { prompt: 'Make the tea' });
		const reply = asking.ask('Bash', { command: 'make tea' });
		const { id, sessionId } = await asking.pending();
		for (const address of ['/', '/board', `/s/${sessionId}`, `/?ask=${id}`]) {
			const page = await open(address);
			await page.setViewportSize(viewport);
			await page.waitForSelector(
				address === '/board' ? 'main a:has-text("Make the tea")' : `[data-ask="${id}"] [aria-disabled="false"]`,
			);
			const before = await placesIn(page);
			expect(before.length).toBeGreaterThan(5);
			proxy.forwardTo(undefined);
			proxy.cut();
			await page.waitForSelector(
				address.includes('ask=') ? 'dialog :text("Reconnecting since")' : ':text("No connection since")',
			);
			expect.soft(await placesIn(page), `${address} without connection`).toEqual(before);
			proxy.forwardTo(roost.port);
			await page.waitForSelector(LIVE, { state: 'attached' });
			await page.waitForSelector(':text("No connection since")', { state: 'detached' });
			expect.soft(await placesIn(page), `${address} with connection`).toEqual(before);
		}
		const page = await open(`/?ask=${id}`);
		await page.click('dialog button:text-is("Deny")[aria-disabled="false"]');
		await reply;
	});

	it('gives an answer once that was sent while the connection was cut', { timeout: 120_000 }, async () => {
		const { roost, proxy, open } = world;
		const asking = await openAsking(roost);
		const reply = asking.ask('Bash', { command: 'make' });
		const { id } = await asking.pending();
		const page = await open(`/?ask=${id}`);
		await page.waitForSelector(ALLOW);
		proxy.forwardTo(undefined);
		proxy.cut();
		await page.waitForSelector(RECONNECTING);
		await page.waitForSelector('dialog :text("Reconnecting since")');
		const left = await page.textContent('dialog header');
		await page.locator(ALLOW).tap();
		await page.waitForSelector('dialog :text("Answer sent.")');
		// The countdown continues.
		await waitFor(async () => ((await page.textContent('dialog header')) === left ? undefined : true), { what: 'time to pass' });
		expect(await asking.decisions()).toEqual([]);
		proxy.forwardTo(roost.port);
		expect((await reply).body).toContain('"behavior":"allow"');
		await page.waitForSelector('dialog [data-state="allowed"] :text("allowed Bash")');
		expect(await asking.decisions()).toMatchObject([{ decision_type: 'allow' }]);
	});

	it('gives an answer once if the connection breaks at the same moment', { timeout: 60_000 + CUTS * 20_000 }, async () => {
		const { roost, proxy, open } = world;
		const asking = await openAsking(roost);
		const page = await open('/');
		for (let cut = 0; cut < CUTS; cut += 1) {
			const reply = asking.ask('Bash', { command: `make ${cut}` });
			const { id } = await asking.pending();
			const allow = page.locator(`[data-ask="${id}"] button:text-is("Allow once")`);
			await allow.and(page.locator('[aria-disabled="false"]')).waitFor();
			// Before, during and after the frame is on its way.
			const breaks = async () => {
				if (cut % 3 === 1) await roost.call('GET', '/healthz');
				proxy.cut();
			};
			await Promise.all(cut % 3 === 0 ? [breaks(), tapUntilSent(allow)] : [tapUntilSent(allow), breaks()]);
			expect((await reply).body).toContain('"behavior":"allow"');
			await page.waitForSelector(`[data-ask="${id}"][data-state="allowed"]`);
			expect((await asking.decisions()).filter(({ ask_id }) => ask_id === id)).toHaveLength(1);
		}
		expect(await page.locator('[role="alert"]').count()).toBe(0);
	});
});

type World = AsyncDisposable & {
	readonly roost: RunnerProcess;
	readonly proxy: HttpsProxy;
	open(address: string): Promise<Page>;
};

/** One device for all tests: its pages reach the runner only through the proxy. */
async function openWorld(): Promise<World> {
	await using stack = new AsyncDisposableStack();
	const proxy = stack.use(await startHttpsProxy());
	const { origin } = proxy;
	const roost = stack.use(await startRunnerProcess({ config: { runner: { port: 0 }, web: { origins: [origin] } } }));
	proxy.forwardTo(roost.port);
	const chromium: Chromium = stack.use(await startChromium({ trusts: proxy.keyHash }));
	const { stdout } = await roost.roost('status', '--link');
	const profile = await chromium.profile(PHONE);
	const page = await profile.open((stdout.split('\n').find((line) => line.includes(origin)) ?? '').trim());
	await page.waitForSelector(LIVE);
	const owned = stack.move();
	return {
		roost,
		proxy,
		async open(address) {
			await page.goto(`${origin}${address}`);
			await page.waitForSelector(LIVE);
			return page;
		},
		[Symbol.asyncDispose]: () => owned.disposeAsync(),
	};
}

/** Where everything is that is read or pressed, and whether something else would get the press. */
async function placesIn(page: Page): Promise<string[]> {
	const places = await runInPage(
		page,
		`const found = document.querySelectorAll('main :is(h1, h2, p, a, button, article, textarea), nav[aria-label="Tabs"] a, aside > *, dialog :is(h2, button, pre)');
		await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)));
		return [...found].flatMap((one) => {
			const { x, y, width, height } = one.getBoundingClientRect();
			const hit = document.elementFromPoint(x + width / 2, y + height / 2);
			const isHit = one.contains(hit) || hit?.contains(one) === true;
			return width > 1 && !one.closest('[role="status"]') ? [[one.tagName, x, y, height, isHit].join(' ')] : [];
		});`,
	);
	return Array.isArray(places) ? places.map(String) : [];
}

/** A card takes no tap right after it moved, as it does when the bar about the connection appears. */
async function tapUntilSent(allow: Locator): Promise<void> {
	const tapped = async () => {
		if ((await allow.count()) === 0) return true;
		await allow.tap({ timeout: 1_000 }).catch(() => undefined);
		return undefined;
	};
	await waitFor(tapped, { what: 'the answer to be sent' });
}

async function note({ agent, native }: Asking, at: number): Promise<void> {
	await agent.report({ hook_event_name: 'Notification', session_id: native, message: `note ${at}.` });
}

/** The ids of all rows, from the first to the last: a screen at a time. */
async function readFeed(page: Page): Promise<string[]> {
	const ids = await runInPage(
		page,
		`const feed = document.querySelector('[role="feed"]');
		const painted = () => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)));
		const seen = [];
		do {
			feed.scrollTop = 0;
			await painted();
		} while (feed.scrollTop > 0);
		for (;;) {
			await painted();
			const rows = [...feed.querySelectorAll('[data-event]')].map((row) => row.dataset.event);
			if (new Set(rows).size < rows.length) throw new Error('a row is shown twice: ' + rows);
			seen.push(...rows.filter((id) => !seen.includes(id)));
			if (feed.scrollTop + feed.clientHeight >= feed.scrollHeight - 2) return seen;
			feed.scrollTop += feed.clientHeight / 2;
		}`,
	);
	return Array.isArray(ids) ? ids.map(String) : [];
}
