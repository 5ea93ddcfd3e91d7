// A request at its own address: over any page, closed by Back, with its answers on screen however long its input is.
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { type Chromium, runInPage, startChromium } from '../rigs/api/chromium.ts';
import { cannotRun, program } from '../rigs/requirements.ts';
import { type RunnerProcess, startRunnerProcess } from '../rigs/runner/runner-rig.ts';
import { openAsking } from '../rigs/web/asking.ts';
import { type OpenedPage, openPage, PHONE } from '../rigs/web/open-page.ts';

const HOLD = 'dialog button:text-is("Hold to allow")[aria-disabled="false"]';

describe.skipIf(cannotRun([program('chromium')]))('request at its own address', { timeout: 60_000 }, () => {
	let chromium: Chromium;
	let roost: RunnerProcess;
	let opened: OpenedPage;
	let page: Page;
	beforeAll(async () => {
		[chromium, roost] = await Promise.all([startChromium(), startRunnerProcess()]);
		opened = await openPage(chromium, roost, PHONE);
		({ page } = opened);
	}, 60_000);
	afterAll(async () => {
		await chromium[Symbol.asyncDispose]();
		await roost[Symbol.asyncDispose]();
	});

	async function ask(tool: string, input: object, prompt?: string) {
		const asking = await openAsking(roost, prompt === undefined ? {} : { prompt });
		const reply = asking.ask(tool, input);
		return { asking, reply, ...(await asking.pending()) };
	}

	it('opens from the list and closes with Back, with the button and with Escape', async () => {
		const { id } = await ask('Bash', { command: 'make' });
		await opened.go('/');
		const open = page.locator(`li [data-ask="${id}"] button:text-is("Open")`);
		const closings = [
			() => page.goBack(),
			() => page.click('dialog button[aria-label="Close"]'),
			() => page.keyboard.press('Escape'),
		];
		for (const close of closings) {
			await open.tap();
			await page.waitForSelector(`dialog [data-ask="${id}"]`);
			expect(new URL(page.url()).search).toBe(`?ask=${id}`);
			await close();
			await page.waitForSelector('dialog [data-ask]', { state: 'detached' });
			expect(new URL(page.url()).search).toBe('');
		}
	});

	it('opens over another page, is answered there, and says what was decided', async () => {
		const { id, reply } = await ask('Bash', { command: 'make all' });
		await opened.go(`/board?ask=${id}`);
		await page.locator('dialog button:text-is("Allow once")').tap();
		expect((await reply).body).toContain('"behavior":"allow"');
		await page.waitForSelector('dialog [data-state="allowed"] :text("allowed Bash \\"make all\\"")');
		// A link that is opened later.
		await opened.go(`/?ask=${id}`);
		await page.waitForSelector('dialog [data-state="allowed"] :text("allowed Bash \\"make all\\"")');
		expect(await page.locator('dialog button:text-is("Allow once")').count()).toBe(0);
		await page.click('dialog button[aria-label="Close"]');
		await page.waitForSelector('dialog [data-ask]', { state: 'detached' });
		expect(new URL(page.url()).search).toBe('');
	});

	it('that is not known is one sentence', async () => {
		await opened.go('/?ask=nowhere.1');
		await page.waitForSelector('dialog p:text-is(\'Request "nowhere.1" not found.\')');
	});

	it('explains its risk and shows the events before it', async () => {
		const { id } = await ask('Bash', { command: 'rm -rf dist' }, 'Clean up');
		await opened.go(`/?ask=${id}`);
		await page.click('dialog summary:text("Why")');
		await page.waitForSelector('dialog :text("High risk: \\"rm\\" is dangerous with these arguments.")');
		await page.click('dialog summary:text("Before this")');
		await page.waitForSelector('dialog li :text-is("Clean up")');
		expect(await page.locator('dialog li :text("Permission: Bash")').count()).toBe(0);
	});

	it.each([
		['a command of 200 KB', 'Bash', { command: `rm -rf dist\n${'echo line\n'.repeat(20_000)}echo end` }],
		['a command of one line of 200 KB', 'Bash', { command: `rm -rf ${'dist/some-file '.repeat(13_000)}` }],
		['an edit of 10,000 lines', 'Write', { file_path: '/etc/long', content: 'const line = "of a long file";\n'.repeat(10_000) }],
	])('with %s is shown whole, scrolls smoothly, and can be allowed only after its end was on screen', async (_, tool, input) => {
		const short = await ask(tool, shortened(input));
		const long = await ask(tool, input);
		expect(long.risk).toBe('high');
		await opened.go(`/?ask=${short.id}`);
		const floor = await cpuPerFrame(page);
		await opened.go(`/?ask=${long.id}`);
		await page.waitForSelector('dialog button:text-is("Scroll to the end to allow")[aria-disabled="true"]');
		const deny = await page.locator('dialog button:text-is("Deny")').boundingBox();
		expect((deny?.y ?? 0) + (deny?.height ?? 0)).toBeLessThanOrEqual(PHONE.viewport.height);
		const cost = await cpuPerFrame(page);
		expect(cost / floor, `${cost} ms per frame, ${floor} ms for a short one`).toBeLessThan(2);
		expect(await page.locator(HOLD).count()).toBe(0);
		const shown = await runInPage(page, 'return document.querySelector("dialog pre, dialog [class*=diff]").textContent.length');
		expect(Number(shown)).toBeGreaterThanOrEqual(Object.values(input).at(-1)?.replaceAll('\n', '').length ?? 0);
		await page.locator('dialog :text("(all of it)")').scrollIntoViewIfNeeded();
		await page.waitForSelector(HOLD);
		expect(await page.locator('dialog button:text-is("Deny")').boundingBox()).toEqual(deny);
	});
});

/** Some screens of it. */
function shortened(input: object): object {
	return Object.fromEntries(Object.entries(input).map(([name, text]) => [name, String(text).slice(0, 6_000)]));
}

const metrics = z.object({ metrics: z.array(z.object({ name: z.string(), value: z.number() })) });

/** The time of the main thread for a frame of scrolling, whatever else the machine does. */
async function cpuPerFrame(page: Page): Promise<number> {
	await page.waitForSelector('dialog [data-ask]');
	const session = await page.context().newCDPSession(page);
	await session.send('Performance.enable', { timeDomain: 'threadTicks' });
	const busy = async () => {
		const found = metrics.parse(await session.send('Performance.getMetrics'));
		return found.metrics.find(({ name }) => name === 'TaskDuration')?.value ?? 0;
	};
	const before = await busy();
	await runInPage(
		page,
		`const body = document.querySelector('dialog [class*=body]');
		for (let frame = 0; frame < ${FRAMES}; frame += 1) {
			body.scrollTop += frame < ${FRAMES / 2} ? 40 : -40;
			await new Promise(requestAnimationFrame);
		}`,
	);
	return ((await busy()) - before) * (1_000 / FRAMES);
}

const FRAMES = 120;
