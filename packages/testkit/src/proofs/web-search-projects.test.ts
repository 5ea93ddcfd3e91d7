// Search, projects and agents in a real browser, over a real runner that was used for a while.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Chromium, startChromium } from '../rigs/api/chromium.ts';
import { cannotRun, program } from '../rigs/requirements.ts';
import { unwrap } from '../rigs/unwrap.ts';
import { waitFor } from '../rigs/wait-for.ts';
import { type OpenedPage, openPage } from '../rigs/web/open-page.ts';
import { PAST_SESSION, startWorkedRunner, type WorkedRunner } from '../rigs/web/worked-runner.ts';

describe.skipIf(cannotRun([program('chromium')]))('pages of the browser', { timeout: 120_000 }, () => {
	let chromium: Chromium;
	let roost: WorkedRunner;
	let opened: OpenedPage;
	beforeAll(async () => {
		[chromium, roost] = await Promise.all([startChromium(), startWorkedRunner()]);
		opened = await openPage(chromium, roost);
	});
	afterAll(async () => {
		await chromium[Symbol.asyncDispose]();
		await roost[Symbol.asyncDispose]();
	});

	describe('search', () => {
		it('finds words by session, with the hits marked, and opens the event of a hit with the keyboard', async () => {
			const { page } = opened;
			await opened.go('/');
			await page.keyboard.press('S');
			await page.waitForSelector('label:text-is("Words") + input:focus');
			await page.keyboard.type('heron nest');
			await page.keyboard.press('Enter');
			await page.waitForURL('**/search?q=heron+nest');
			await page.waitForSelector('h2:has-text("Find out why the heron left its nest")');
			expect(await page.locator('mark').allTextContents()).toEqual(['heron', 'nest']);
			const { hits } = unwrap(await roost.api.record.search({ words: 'heron nest' }));
			expect(hits).toHaveLength(1);
			await page.keyboard.press('j');
			await page.keyboard.press('Enter');
			await page.waitForURL(`**/s/${roost.worker.sessionId}/e/${hits[0]?.offset}`);
		});

		it('walks through the hits and back into the field', async () => {
			const { page } = opened;
			await opened.go('/search?q=git push');
			await page.waitForSelector('text=3 hits, the newest first.');
			const rows = page.locator('[data-row]');
			for (const [key, at] of [
				['j', 0],
				['j', 1],
				['k', 0],
			] as const) {
				await page.keyboard.press(key);
				expect(await page.locator('[data-row]:focus').textContent()).toBe(await rows.nth(at).textContent());
			}
			await page.keyboard.press('/');
			await page.waitForSelector('label:text-is("Words") + input:focus');
		});

		it('says if nothing was found', async () => {
			await opened.go('/search?q=flamingo');
			await opened.page.waitForSelector('[data-state="empty"]:has-text("Nothing was found.")');
		});

		it('shows hostile words and texts as text', async () => {
			const { page } = opened;
			// Far enough behind to be no part of the title, which the index has escaped.
			const before = 'see '.repeat(80);
			const words = '<img src=x onerror=alert(1)> \u202enest';
			await roost.worker.report({ session_id: roost.nativeId, hook_event_name: 'UserPromptSubmit', prompt: before + words });
			await waitFor(async () => unwrap(await roost.api.record.search({ words: 'onerror' })).hits[0], { what: 'the hit' });
			await opened.go(`/search?q=${encodeURIComponent('onerror nest')}`);
			await page.waitForSelector('[data-row] >> text=<img src=x');
			expect(await page.locator('[data-row]').first().textContent()).toContain('\\u{202e}nest');
			expect(await page.locator('main img').count()).toBe(0);
			expect(opened.complaints).toEqual([]);
		});
	});

	describe('projects', () => {
		it('are scanned on first use; a past session is read, and then resumed', async () => {
			const { page } = opened;
			await opened.go('/projects');
			await page.click('[data-row]:has-text("app")');
			await page.click('a:has-text("Repair the gate")');
			await page.waitForSelector('li[data-kind="agent.message"]:has-text("The gate closes again.")');
			expect(await page.locator('li[data-kind]').allTextContents()).toContainEqual(expect.stringContaining('Bash(npm run gate)'));
			expect(await resumed(roost)).toBe(undefined);
			await page.click('button:text-is("Resume")');
			await page.waitForURL('**/s/*');
			const row = await resumed(roost);
			expect(page.url()).toBe(`${roost.url}/s/${row?.id}`);
			expect(row?.projectPath).toBe(roost.app);
			await opened.go('/projects');
			await page.click('[data-row]:has-text("app")');
			await page.waitForSelector('li:has-text("Repair the gate"):has-text("on record")');
			expect(opened.complaints).toEqual([]);
		});

		it('that are unknown say so', async () => {
			await opened.go('/projects/0000000000000000');
			await opened.page.waitForSelector('[data-state="empty"]:has-text("This project is not on this machine.")');
		});

		it('say why a transcript cannot be read, with a way to retry', async () => {
			// The browser itself complains about the failed request.
			await using other = await openPage(chromium, roost);
			const { projects } = unwrap(await roost.api.projects.list());
			await other.go(`/projects/${projects[0]?.id}/5f0c8f7e-0000-4000-8000-00000000dead`);
			await other.page.waitForSelector('[role="alert"] >> text=Retry');
		});
	});

	describe('agents', () => {
		it('are described in words, with their features, and tested on request', async () => {
			const { page } = opened;
			await opened.go('/agents');
			const card = page.locator('[aria-label="Agents"] > li:has-text("claude")');
			await card.locator('text=Can be started, prompted, interrupted and resumed from Roost').waitFor();
			await page.keyboard.press('j');
			await page.keyboard.press('Enter');
			await card.locator('dt:text-is("respects a denial")').waitFor();
			const [reply] = await Promise.all([
				page.waitForResponse((response) => response.url().endsWith('/api/v1/agents/prove')),
				page.click('text=Test permission hooks'),
			]);
			expect(reply.status()).toBe(200);
			await page.waitForSelector('button:enabled:text-is("Test permission hooks")');
			expect(opened.complaints).toEqual([]);
		});
	});
});

async function resumed({ api }: WorkedRunner) {
	const rows = unwrap(await api.record.sessions());
	return rows.find(({ nativeIds }) => nativeIds.some(({ id }) => id === PAST_SESSION));
}
