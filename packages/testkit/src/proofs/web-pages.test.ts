// Devices and rules in a real browser over a real runner that was used for a while: each page by its main path.
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Chromium, runInPage, startChromium } from '../rigs/api/chromium.ts';
import { cannotRun, program } from '../rigs/requirements.ts';
import { unwrap } from '../rigs/unwrap.ts';
import { openPage } from '../rigs/web/open-page.ts';
import { startWorkedRunner, type WorkedRunner } from '../rigs/web/worked-runner.ts';

const WEB = /^\w+@web:\w+$/;

describe.skipIf(cannotRun([program('chromium')]))('pages of the browser', { timeout: 120_000 }, () => {
	let chromium: Chromium;
	let roost: WorkedRunner;
	beforeAll(async () => {
		[chromium, roost] = await Promise.all([startChromium(), startWorkedRunner()]);
	});
	afterAll(async () => {
		await chromium[Symbol.asyncDispose]();
		await roost[Symbol.asyncDispose]();
	});

	describe('devices', () => {
		it('revokes another browser after a confirmation, which is logged out', async () => {
			await using other = await openPage(chromium, roost);
			await using own = await openPage(chromium, roost);
			const [otherId, ownId] = unwrap(await roost.api.devices.list()).map(({ id }) => id);
			await own.go('/devices');
			await own.page.waitForSelector(`li:has([data-row="${ownId}"]):has-text("This browser")`);
			await own.page.click(`[data-row="${otherId}"]`);
			await own.page.click('dialog >> text=Cancel');
			expect(unwrap(await roost.api.devices.list())).toHaveLength(2);
			await own.page.click(`[data-row="${otherId}"]`);
			await own.page.click('dialog >> button:text-is("Revoke")');
			await own.page.waitForSelector(`[data-row="${otherId}"]`, { state: 'detached' });
			await other.page.waitForSelector('[data-state="logged-out"]');
			expect(unwrap(await roost.api.devices.list()).map(({ id }) => id)).toEqual([ownId]);
			await revokeThisBrowser(own.page);
			expect(unwrap(await roost.api.devices.list())).toEqual([]);
			expect(own.complaints).toEqual([]);
		});

		it('does not log in again while it logs out', async () => {
			await using opened = await openPage(chromium, roost);
			const { page } = opened;
			const [device] = unwrap(await roost.api.devices.list());
			const [socket] = await Promise.all([page.waitForEvent('websocket'), opened.go('/devices')]);
			const requests: string[] = [];
			await page.route(`**/devices/${device?.id}`, async (route) => {
				const closed = socket.waitForEvent('close');
				const response = await route.fetch();
				await closed;
				page.on('request', (request) => void requests.push(request.url()));
				// A login would be requested before this is.
				await runInPage(page, `await fetch('/');`);
				await route.fulfill({ response });
			});
			await page.click('button:text-is("Log out")');
			await page.waitForSelector('[data-state="logged-out"]:has-text("Logged out")');
			expect(requests).toEqual([`${roost.url}/`]);
			expect(opened.complaints).toEqual([]);
		});

		it('shows and copies the command that adds a browser', async () => {
			await using opened = await openPage(chromium, roost, { permissions: ['clipboard-read', 'clipboard-write'] });
			await opened.go('/devices');
			await opened.page.click('text=Copy >> nth=0');
			await opened.page.waitForSelector('text=Copied');
			expect(await opened.page.locator('code').first().textContent()).toBe('roost status --link');
		});
	});

	describe('rules', () => {
		it('adds a rule that was tried on past calls, and the record names this browser', async () => {
			await using opened = await openPage(chromium, roost);
			const { page } = opened;
			await opened.go('/rules');
			await page.click('text=Add a rule');
			await page.fill('label:text-is("Pattern") + input', 'git push *');
			await page.waitForSelector('text=Would have matched 3 past calls, 1 of which you denied.');
			const examples = await page.locator('[aria-label="Newest of these calls"] li').allTextContents();
			expect(examples.map((text) => text.replace(/ · .*/, ''))).toEqual([
				expect.stringMatching(/^Bash git push --forcedenied by \w+@cli$/),
				expect.stringMatching(/^Bash git pushallowed by \w+@cli$/),
				'Bash git push --tagsnot asked',
			]);
			await page.keyboard.press('Enter');
			await page.waitForSelector('[data-row] >> text=git push *');
			const rule = unwrap(await roost.api.rules.list()).find(({ argsPattern }) => argsPattern === 'git push *');
			expect(rule).toMatchObject({ decision: 'allow', tool: 'Bash', scope: 'user', addedBy: expect.stringMatching(WEB) });
			expect(opened.complaints).toEqual([]);
		});

		it('adds one for a project and a time', async () => {
			await using opened = await openPage(chromium, roost);
			const { page } = opened;
			await opened.go('/rules?add=1');
			await page.check('input[value="deny"]');
			await page.fill('label:text-is("Tool") + input', 'Write');
			await page.selectOption('label:text-is("Where") + select', { value: `project:${roost.folder}` });
			await page.selectOption('label:text-is("How long") + select', '1 hour');
			await page.click('button:text-is("Add")');
			await page.waitForSelector(`section:has(h2:text("Project: ${roost.folder}")) [data-row]:has-text("Write")`);
			const rule = unwrap(await roost.api.rules.list()).find(({ tool }) => tool === 'Write');
			expect(rule).toMatchObject({ decision: 'deny', scope: 'project', projectPath: roost.folder });
			expect((rule?.expiresAt ?? 0) - (rule?.createdAt ?? 0)).toBe(3_600_000);
		});

		it('says what the rules decide for a call, part by part', async () => {
			await using opened = await openPage(chromium, roost);
			const { page } = opened;
			await opened.go('/rules');
			await page.fill('label:text("Command, or input") + input', 'git status && npm publish');
			await page.keyboard.press('Enter');
			const verdict = page.locator('[data-part="verdict"]');
			await verdict.waitFor();
			expect(await verdict.locator('p').allTextContents()).toEqual(['No rule decides: you would be asked.']);
			expect(await verdict.locator('li').allTextContents()).toEqual([
				expect.stringMatching(/^allow git status: \w+: allow Bash git status \* user$/),
				'none npm publish: no rule',
			]);
			await page.fill('label:text("Command, or input") + input', 'rm -rf /');
			await page.keyboard.press('Enter');
			await page.waitForSelector('[data-part="verdict"]:has-text("deny by rule")');
		});

		it('is walked with the keyboard, filtered, and removes a rule after a confirmation', async () => {
			await using opened = await openPage(chromium, roost);
			const { page } = opened;
			await opened.go('/rules');
			await page.waitForSelector('[data-row]');
			await page.keyboard.press('/');
			await page.keyboard.type('webfetch');
			await page.waitForSelector('[data-row]:has-text("rm -rf")', { state: 'detached' });
			await page.locator('h1').click();
			await page.keyboard.press('j');
			expect(await page.locator('[data-row]:focus').textContent()).toContain('WebFetch');
			await page.keyboard.press('Enter');
			await page.waitForSelector('[data-part="would-match"]');
			await page.click('text=Remove');
			await page.click('dialog >> button:text-is("Remove")');
			await page.waitForSelector('text=No rule contains these words.');
			expect(unwrap(await roost.api.rules.list()).filter(({ tool }) => tool === 'WebFetch')).toEqual([]);
			expect(opened.complaints).toEqual([]);
		});
	});
});

async function revokeThisBrowser(page: Page): Promise<void> {
	await page.click('li:has-text("This browser") >> text=Revoke');
	await page.click('dialog >> text=Revoke and log out');
	await page.waitForSelector('[data-state="logged-out"]');
}
