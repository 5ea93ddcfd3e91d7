// Usage in a real browser: every figure of the page equals the one of the command line.
import { usageBy, usageReport } from '@roost/protocol/api/usage';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Chromium, startChromium } from '../rigs/api/chromium.ts';
import { cannotRun, program } from '../rigs/requirements.ts';
import { type OpenedPage, openPage } from '../rigs/web/open-page.ts';
import { startWorkedRunner, type WorkedRunner } from '../rigs/web/worked-runner.ts';

describe.skipIf(cannotRun([program('chromium')]))('usage in a browser', { timeout: 120_000 }, () => {
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

	it.each(usageBy.options.flatMap((by) => [[by, 'all'] as const, [by, '7d'] as const]))(
		'by %s since %s has the figures of roost usage --json',
		async (by, since) => {
			const days = since === 'all' ? [] : ['--since', since];
			const { stdout } = await roost.roost('usage', '--by', by, ...days, '--json');
			const report = usageReport.parse(JSON.parse(stdout));
			const groups = by === 'day' ? report.groups.toReversed() : report.groups;
			const expected = [...groups, { key: 'total', ...report.total }].map(({ key, tokens, costUsdEstimate }) => [
				key,
				costUsdEstimate,
				tokens.input_tokens,
				tokens.output_tokens,
				tokens.cache_read_tokens,
				tokens.cache_write_tokens,
			]);
			expect(expected.length).toBeGreaterThan(2);
			await opened.go(`/usage?by=${by}&since=${since}`);
			expect(await figuresOf(opened.page)).toEqual(expected);
		},
	);

	it('shows a chart that follows the address, and says the figures of a day', async () => {
		const { page } = opened;
		await opened.go('/usage');
		await page.waitForSelector('canvas');
		await page.click('nav[aria-label="Chart"] >> text=Tokens');
		await page.waitForURL('**/usage?by=day&since=30d&show=tokens');
		await page.waitForSelector('[role="img"][aria-label^="Tokens"]');
		await page.hover('.u-over');
		await page.waitForSelector('figcaption:has-text(": ")');
		await page.click('nav[aria-label="Group by"] >> text=Model');
		await page.waitForSelector('canvas', { state: 'detached' });
		await page.goBack();
		await page.waitForSelector('canvas');
		expect(opened.complaints).toEqual([]);
	});

	it('is walked with the keyboard, and a session opens from its row', async () => {
		const { page } = opened;
		await opened.go('/usage?by=session&since=all');
		await page.waitForSelector('[data-row]');
		await page.keyboard.press('j');
		await page.keyboard.press('j');
		const second = await page.locator('[data-row]').nth(1).getAttribute('data-row');
		expect(await page.locator('[data-row]:focus').getAttribute('data-row')).toBe(second);
		await page.keyboard.press('Enter');
		await page.waitForURL(`**/s/${second}`);
	});

	it('says if there is none, with a link to everything', async () => {
		const { page } = opened;
		await opened.go('/usage?since=2999-01-01');
		await page.click('[data-state="empty"] >> text=Show everything on record');
		await page.waitForURL('**/usage?*since=all*');
		await page.waitForSelector('[data-group="total"]');
	});
});

/** The exact value of each figure, row by row. */
async function figuresOf(page: Page): Promise<(string | number | null)[][]> {
	await page.waitForSelector('[data-group="total"]');
	const rows = await page.locator('[data-group]').all();
	return await Promise.all(
		rows.map(async (row) => {
			const cells = await row.locator('data').all();
			const values = await Promise.all(cells.map(async (cell) => Number(await cell.getAttribute('value'))));
			return [await row.getAttribute('data-group'), ...values];
		}),
	);
}
