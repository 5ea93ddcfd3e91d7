// The page of a real hub in a real browser: paired with a link, with the runners of two machines behind it.
import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { startChromium } from '../rigs/api/chromium.ts';
import { type HubProcess, startHubProcess, succeeded } from '../rigs/hub/hub-process.ts';
import { cannotRun, program } from '../rigs/requirements.ts';
import { type RunnerProcess, startRunnerProcess } from '../rigs/runner/runner-rig.ts';
import { waitFor } from '../rigs/wait-for.ts';
import { type Asking, openAsking } from '../rigs/web/asking.ts';
import { openHubPage, reloadUntilRead } from '../rigs/web/open-hub-page.ts';
import { isLive } from '../rigs/web/open-page.ts';

const OFFLINE = /offline since \d{1,2}:\d{2}/;

type Site = AsyncDisposable & { hub: HubProcess; laptop: RunnerProcess; tower: RunnerProcess };

describe.skipIf(cannotRun([program('chromium')]))('page of a hub', { timeout: 240_000 }, () => {
	it('is paired by a link once, says whose device it is, and keeps nothing of the link', async () => {
		await using chromium = await startChromium();
		await using hub = await startHubProcess();
		const link = await hub.invite();
		const profile = await chromium.profile();
		profile.keepTo(hub.url);
		const page = await profile.open(link);
		await page.waitForSelector('[data-state="joined"]:has-text("This browser is paired")');
		expect(await page.textContent('[data-state="joined"] p')).toMatch(/It is a device of [a-z0-9._-]+ on 127\.0\.0\.1:\d+/);
		expect(page.url()).toBe(`${hub.url}/join`);
		await page.getByRole('button', { name: 'Open Roost' }).click();
		await page.waitForSelector('[data-state="no-runner"]:has-text("No runners yet")');
		await page.goBack();
		expect(page.url()).not.toContain('code');
		expect(profile.complaints).toEqual([]);

		const other = await chromium.profile();
		const late = await other.open(link);
		await late.waitForSelector('[data-state="logged-out"] [role="alert"]:has-text("This link was already used or has expired.")');
		await late.waitForSelector('code:text-is("roost hub invite")');
		await late.waitForSelector('code:has-text("roost join")');
		const stranger = await (await chromium.profile()).open(`${hub.url}/`);
		await stranger.waitForSelector('[role="alert"]:has-text("This browser is not paired with this hub.")');
	});

	it('shows the requests of all runners in one inbox, and sends each answer to its runner', async () => {
		await using chromium = await startChromium();
		await using site = await startSite();
		const first = await openAsking(site.laptop, { prompt: 'Make the tea' });
		const second = await openAsking(site.tower, { prompt: 'Wash the cups' });
		await using opened = await openHubPage(chromium, site.hub);
		const { page } = opened;
		const [tea, cups] = [first.ask('Bash', { command: 'boil water' }), second.ask('Bash', { command: 'rinse cups' })];
		await cardIn(page, 'boil water', 'laptop');
		await cardIn(page, 'rinse cups', 'tower');
		await waitFor(async () => ((await page.title()) === '(2) Roost' ? true : undefined), { what: 'the count in the title' });

		await deny(page, 'rinse cups');
		expect(behaviorIn((await cups).body)).toBe('deny');
		expect(await decisionsOf(second)).toEqual(['deny']);
		await waitFor(async () => ((await page.title()) === '(1) Roost' ? true : undefined), { what: 'one request' });

		// An allow makes an agent do something: the runner wants the key of a device that it trusts.
		await allow(page, 'boil water');
		await page.waitForSelector('[role="alert"]:has-text("is not trusted on this runner")');
		expect(await decisionsOf(first)).toEqual([]);
		await page.getByRole('link', { name: 'Devices' }).click();
		const trust = await page.locator('code:has-text("roost devices trust")').textContent();
		succeeded(await site.laptop.roost(...wordsOf(trust ?? '')));
		await page.getByRole('link', { name: 'Inbox' }).click();
		await allow(page, 'boil water');
		expect(behaviorIn((await tea).body)).toBe('allow');
		expect(await decisionsOf(first)).toEqual(['allow']);
		succeeded(await site.laptop.roost('verify'));
		// The browser itself reports the refusal.
		expect(opened.complaints.filter((one) => !/approve/.test(one))).toEqual([]);
	});

	it('is live again after kill -9 of the hub, without a new login, and shows nothing twice', async () => {
		await using chromium = await startChromium();
		await using site = await startSite();
		const asking = await openAsking(site.laptop, { prompt: 'Make the tea' });
		await using opened = await openHubPage(chromium, site.hub);
		const { page } = opened;
		const before = asking.ask('Bash', { command: 'boil water' });
		await cardIn(page, 'boil water', 'laptop');
		await site.hub.kill();
		await page.waitForSelector('[role="status"][data-state="reconnecting"]');
		await site.hub.restart();
		await isLive(page);
		await cardIn(page, 'boil water', 'laptop');
		expect(await page.locator('article[data-ask]').count()).toBe(1);
		await deny(page, 'boil water');
		expect(behaviorIn((await before).body)).toBe('deny');
		expect(await decisionsOf(asking)).toEqual(['deny']);
	});

	it('reads the sessions of a runner that is offline, says so everywhere, and queues what is decided meanwhile', async () => {
		await using chromium = await startChromium();
		await using site = await startSite();
		const asking = await openAsking(site.tower, { prompt: 'Wash the cups', pid: site.tower.waiterPid });
		await using opened = await openHubPage(chromium, site.hub);
		const { page } = opened;
		const decided = asking.ask('Bash', { command: 'rinse cups' }).catch(() => undefined);
		await reloadUntilRead(page, 2);
		await cardIn(page, 'rinse cups', 'tower');
		await site.tower.kill();
		await decided;
		await page.locator('article:has-text("rinse cups")', { hasText: OFFLINE }).waitFor();
		const runner = page.getByLabel('Runner', { exact: true });
		await runner.locator('option', { hasText: OFFLINE }).waitFor({ state: 'attached' });
		await runner.selectOption({ label: await optionOf(page, 'tower') });

		await page.getByRole('link', { name: 'Wash the cups' }).first().click();
		await page.waitForSelector('[role="feed"] :text("Wash the cups")');
		const address = new URL(page.url()).pathname;
		expect(address).toMatch(new RegExp(`^/r/[^/]+/s/${asking.sessionId}$`));
		await page.getByText(/tower is offline since/).waitFor();
		await page.getByRole('link', { name: 'Changes' }).click();
		await page.locator('[data-state="away"]', { hasText: OFFLINE }).waitFor();
		await opened.go(address.replace(/\/s\/.*/, '/rules'));
		await page.locator('[data-state="away"]', { hasText: OFFLINE }).waitFor();
		await opened.go(address);
		await page.waitForSelector('[role="feed"] :text("Wash the cups")');

		await opened.go('/');
		await deny(page, 'rinse cups');
		await page.locator('article:has-text("rinse cups")', { hasText: /Queued until \d/ }).waitFor();
		await page.getByRole('link', { name: 'Queued commands' }).click();
		const row = page.locator('li:has-text("Decide a request")');
		await row.filter({ hasText: 'Queued' }).filter({ hasText: 'tower' }).waitFor();
		await row.getByRole('button', { name: 'Cancel' }).click();
		await row.filter({ hasText: 'Cancelled' }).waitFor();
		await opened.go('/');
		await page.locator('article:has-text("rinse cups") >> button:text-is("Deny")').waitFor();
		expect(opened.complaints).toEqual([]);
	});
});

/** A hub with the runners of two machines. */
async function startSite(): Promise<Site> {
	await using stack = new AsyncDisposableStack();
	const [hub, laptop, tower] = await Promise.all([startHubProcess(), startRunnerProcess(), startRunnerProcess()]);
	for (const one of [hub, laptop, tower]) stack.use(one);
	await hub.pair(laptop, 'laptop');
	await hub.pair(tower, 'tower');
	const owned = stack.move();
	return { hub, laptop, tower, [Symbol.asyncDispose]: () => owned.disposeAsync() };
}

async function cardIn(page: Page, command: string, runner: string): Promise<void> {
	await page.locator(`article[data-ask]:has-text("${command}")`, { hasText: runner }).waitFor();
}

async function deny(page: Page, command: string): Promise<void> {
	await page.locator(`article:has-text("${command}") >> button:text-is("Deny"):not([aria-disabled="true"])`).click();
}

async function allow(page: Page, command: string): Promise<void> {
	await page.locator(`article:has-text("${command}") >> button:text-is("Allow once"):not([aria-disabled="true"])`).click();
}

/** Of a command line as a shell splits it, without the program. */
function wordsOf(command: string): string[] {
	return [...command.matchAll(/'([^']*)'|(\S+)/g)].map(([, quoted, word]) => quoted ?? word ?? '').slice(1);
}

async function decisionsOf(asking: Asking): Promise<string[]> {
	return (await asking.decisions()).map(({ decision_type }) => decision_type);
}

function behaviorIn(reply: string): string {
	return JSON.parse(reply).hookSpecificOutput.decision.behavior;
}

async function optionOf(page: Page, name: string): Promise<string> {
	return (await page.locator('option', { hasText: name }).textContent()) ?? '';
}
