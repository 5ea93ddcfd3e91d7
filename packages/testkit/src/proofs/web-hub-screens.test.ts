// Every screen that only the page of a hub has, checked by axe on a desk and on a phone, light and dark.
import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { startChromium } from '../rigs/api/chromium.ts';
import { startHubProcess } from '../rigs/hub/hub-process.ts';
import { cannotRun, program } from '../rigs/requirements.ts';
import { startRunnerProcess } from '../rigs/runner/runner-rig.ts';
import { openAsking } from '../rigs/web/asking.ts';
import { findViolations } from '../rigs/web/check-page.ts';
import { openHubPage, reloadUntilRead } from '../rigs/web/open-hub-page.ts';
import { DESK, PHONE } from '../rigs/web/open-page.ts';

const SIZES = { desk: DESK, phone: PHONE };

describe.skipIf(cannotRun([program('chromium')]))('screens of a hub', { timeout: 240_000 }, () => {
	it.each(['desk', 'phone'] as const)('have no violation in light and dark mode and fit the width: %s', async (size) => {
		const options = SIZES[size];
		await using chromium = await startChromium();
		await using hub = await startHubProcess();
		await using laptop = await startRunnerProcess();
		await using tower = await startRunnerProcess();
		const wrong: string[] = [];
		const check = async (page: Page, selector: string) => {
			await page.waitForSelector(selector);
			wrong.push(...(await findViolations(page)));
		};

		const stranger = await (await chromium.profile(options)).open(`${hub.url}/join`);
		await check(stranger, '[data-state="logged-out"] code');
		const profile = await chromium.profile(options);
		const first = await profile.open(await hub.invite());
		await check(first, '[data-state="joined"]');
		await first.getByRole('button', { name: 'Open Roost' }).click();
		await check(first, '[data-state="no-runner"]');

		await hub.pair(laptop, 'laptop');
		await hub.pair(tower, 'tower');
		const asking = await openAsking(tower, { prompt: 'Wash the cups', pid: tower.waiterPid });
		const decided = asking.ask('Bash', { command: 'rinse cups' }).catch(() => undefined);
		await using opened = await openHubPage(chromium, hub, { options });
		const { page, go } = opened;
		await check(page, '[data-ask]:has-text("tower")');
		await go('/devices');
		await page.getByRole('button', { name: 'Create a link' }).click();
		await check(page, 'code:has-text("roost join")');
		await go('/more');
		await check(page, 'nav[aria-label="All pages"]');
		await reloadUntilRead(page, 2);
		await tower.kill();
		await decided;
		await go('/');
		const card = page.locator('[data-ask]', { hasText: /offline since/ });
		await card.locator('button:text-is("Deny"):not([aria-disabled="true"])').click();
		await check(page, '[data-ask]:has-text("Queued until")');
		const session = await card.getByRole('link', { name: 'Wash the cups' }).getAttribute('href');
		await go('/queued');
		await check(page, '[data-row]');
		await go(`${session}`);
		await check(page, '[role="feed"] [data-ask]');
		for (const address of [`${session}/changes`, `${session}`.replace(/\/s\/.*/, '/rules')]) {
			await go(address);
			await check(page, '[data-state="away"]');
		}
		await page.goto(`${hub.url}/r/other/`);
		await check(page, '[data-state="no-runner"]');
		expect(wrong).toEqual([]);
		expect(opened.complaints).toEqual([]);
	});
});
