// Every page of the browser without data, at a wrong address, and while its reads fail: it says so, and recovers.
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Chromium, runInPage, startChromium } from '../rigs/api/chromium.ts';
import { cannotRun, program } from '../rigs/requirements.ts';
import { type RunnerProcess, startRunnerProcess } from '../rigs/runner/runner-rig.ts';
import { openAsking } from '../rigs/web/asking.ts';
import { findViolations } from '../rigs/web/check-page.ts';
import { openPage } from '../rigs/web/open-page.ts';

/** Each page, and what it says if there is nothing. */
const EMPTY = [
	['/', 'roost run'],
	['/board', 'roost run'],
	['/search', 'Words'],
	['/search?q=heron', 'Nothing was found'],
	['/t', 'No terminals'],
	['/rules', 'No rules'],
	['/usage', 'No usage'],
	['/projects', 'No project found'],
	['/agents', 'claude'],
	['/devices', 'This browser'],
	['/more', 'Log out'],
	['/new', 'Project'],
] as const;

/** Addresses that name nothing, and why. */
const WRONG = [
	['/nowhere', 'Page not found'],
	['/s/unknown', 'not found'],
	['/s/unknown/e/1', 'not found'],
	['/s/unknown/changes', 'not found'],
	['/s/unknown/terminal', 'not found'],
	['/s/a%20b%2F..%2Fc', 'not found'],
	['/t/unknown', 'not found'],
	['/projects/unknown', 'not'],
	['/projects/unknown/unknown', 'not'],
	['/?ask=unknown', 'not'],
] as const;

/** Pages that read something of their own. */
const READING = ['/t', '/rules', '/usage', '/projects', '/agents', '/devices', '/search?q=x'] as const;

describe.skipIf(cannotRun([program('chromium')]))('pages of the browser', { timeout: 120_000 }, () => {
	const stack = new AsyncDisposableStack();
	let chromium: Chromium;
	let roost: RunnerProcess;
	beforeAll(async () => {
		[chromium, roost] = await Promise.all([startChromium(), startRunnerProcess()]);
		stack.use(chromium);
		stack.use(roost);
	});
	afterAll(() => stack.disposeAsync());

	it('say what to do where there is nothing yet', async () => {
		await using opened = await openPage(chromium, roost);
		for (const [address, words] of EMPTY) {
			await opened.go(address);
			await shows(opened.page, words);
			expect.soft(await findViolations(opened.page)).toEqual([]);
		}
		expect(opened.complaints).toEqual([]);
	});

	it('say what was not found at a wrong address', async () => {
		await using opened = await openPage(chromium, roost);
		for (const [address, words] of WRONG) {
			await opened.go(address);
			await shows(opened.page, words);
		}
		expect(opened.complaints.filter((one) => !one.includes('404'))).toEqual([]);
	});

	it('say why a read failed, and show the data on the next try; requests are read again by themselves', async () => {
		await using opened = await openPage(chromium, roost);
		const { page } = opened;
		const asking = await openAsking(roost, { prompt: 'Make the tea' });
		const answered = asking.ask('Bash', { command: 'npm test' });
		await asking.pending();
		for (const address of READING) {
			await failReads(page);
			await opened.go(address);
			await page.waitForSelector(`${FAILED}:has-text("a proxy cannot reach the runner")`);
			await page.context().unrouteAll();
			await page.click(`${FAILED} >> text=Retry`);
			await page.waitForSelector(FAILED, { state: 'detached' });
		}
		await failReads(page);
		await opened.go('/');
		await page.waitForSelector('main [role="alert"]:has-text("a proxy cannot reach the runner")');
		expect(await page.locator('main').textContent()).not.toMatch(/No pending requests|roost run/);
		await page.context().unrouteAll();
		await page.click(`[data-ask] button:text-is("Deny")[aria-disabled="false"]`);
		expect((await answered).status).toBe(200);
	});
});

const FAILED = 'main [role="alert"]:has(button:text-is("Retry"))';

/** As a tunnel replies whose other end is away; the socket of the page stays open. */
async function failReads(page: Page): Promise<void> {
	await page
		.context()
		.route('**/api/v1/**', (route) =>
			route.request().method() === 'GET' ? route.fulfill({ status: 502, body: 'Bad gateway' }) : route.continue(),
		);
}

/** In the page or the dialog over it, and nothing is still loading. */
async function shows(page: Page, words: string): Promise<void> {
	const where = `${new URL(page.url()).pathname}: "${words}"`;
	await page
		.locator('main, dialog[open]')
		.filter({ hasText: words })
		.first()
		.waitFor({ timeout: 15_000 })
		.catch(async () => {
			const seen = await runInPage(page, `return document.querySelector('main').innerText`);
			expect.soft(seen, where).toContain(words);
		});
}
