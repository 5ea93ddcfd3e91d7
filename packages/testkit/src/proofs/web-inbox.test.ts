// The inbox beyond requests: what stopped since the user looked, what ran last, and how to start.
import { describe, expect, it } from 'vitest';
import { startChromium } from '../rigs/api/chromium.ts';
import { cannotRun, program } from '../rigs/requirements.ts';
import { startRunnerProcess } from '../rigs/runner/runner-rig.ts';
import { type Asking, openAsking } from '../rigs/web/asking.ts';
import { openPage, PHONE } from '../rigs/web/open-page.ts';

const SINCE = 'section:has(> header h2:text-is("Since you looked"))';

describe.skipIf(cannotRun([program('chromium')]))('inbox', { timeout: 120_000 }, () => {
	it('says how to start, what ran last, and what stopped since the user looked, until it is dismissed or opened', async () => {
		await using chromium = await startChromium();
		await using roost = await startRunnerProcess();
		await using opened = await openPage(chromium, roost, PHONE);
		const { page } = opened;
		await page.waitForSelector('section[data-state="empty"] code:has-text("roost run")');

		const first = await openAsking(roost, { prompt: 'Make the tea' });
		await page.waitForSelector('section[data-state="empty"] :text("No pending requests.")');
		await page.waitForSelector('section[data-state="empty"] a:text-is("Make the tea")');
		expect(await page.locator(SINCE).count()).toBe(0);
		await stop(first);
		await page.waitForSelector(`${SINCE} [data-session="${first.sessionId}"]:has-text("finished")`);
		await page.reload();
		await page.waitForSelector(`${SINCE} [data-session="${first.sessionId}"]`);
		await page.locator('button:text-is("Dismiss all")').tap();
		await page.waitForSelector(SINCE, { state: 'detached' });

		const second = await openAsking(roost, { prompt: 'Wash the cups' });
		await stop(second);
		const row = page.locator(`${SINCE} [data-session="${second.sessionId}"]`);
		await row.waitFor();
		expect(await page.locator(`${SINCE} [data-session]`).count()).toBe(1);
		await row.tap();
		await page.waitForURL(`**/s/${second.sessionId}`);
		await page.goBack();
		await page.waitForSelector('section[data-state="empty"] a:text-is("Wash the cups")');
		await page.waitForSelector(SINCE, { state: 'detached' });
		await page.reload();
		await page.waitForSelector('section[data-state="empty"] a:text-is("Wash the cups")');
		expect(await page.locator(SINCE).count()).toBe(0);
		expect(opened.complaints).toEqual([]);
	});
});

async function stop({ agent, native }: Asking): Promise<void> {
	await agent.report({ hook_event_name: 'Stop', session_id: native, stop_hook_active: false });
}
