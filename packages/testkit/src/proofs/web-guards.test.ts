// Guards against answers that nobody meant: too early, under a finger, without holding, without having seen the whole input.
import type { AskRow } from '@roost/protocol/ask';
import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type Chromium, runInPage, startChromium } from '../rigs/api/chromium.ts';
import type { RawResponse } from '../rigs/api/raw-http.ts';
import { cannotRun, program } from '../rigs/requirements.ts';
import { type RunnerProcess, startRunnerProcess } from '../rigs/runner/runner-rig.ts';
import { asksOf, cardOf, openAsking } from '../rigs/web/asking.ts';
import { type OpenedPage, openPage } from '../rigs/web/open-page.ts';

const DENY = 'button:text-is("Deny")';

describe.skipIf(cannotRun([program('chromium')]))('card of a request', { timeout: 60_000 }, () => {
	let chromium: Chromium;
	let roost: RunnerProcess;
	let opened: OpenedPage;
	let page: Page;
	beforeAll(async () => {
		[chromium, roost] = await Promise.all([startChromium(), startRunnerProcess()]);
	}, 60_000);
	afterAll(async () => {
		await chromium[Symbol.asyncDispose]();
		await roost[Symbol.asyncDispose]();
	});
	beforeEach(async () => {
		opened = await openPage(chromium, roost);
		({ page } = opened);
	});
	afterEach(async () => {
		for (const ask of await asksOf(roost)) await decide(roost, ask);
		await opened[Symbol.asyncDispose]();
	});

	it('ignores a press right after it appeared, and takes the next one', async () => {
		const asking = await openAsking(roost);
		const pressed = runInPage(page, pressOnAppearance('[data-ask]'));
		const reply = asking.ask('Bash', { command: 'make' });
		expect(await pressed).toBe('pressed');
		const { id } = await asking.pending();
		const deny = cardOf(page, id).locator(DENY);
		await deny.and(page.locator('[aria-disabled="false"]')).waitFor();
		expect(await asking.decisions()).toEqual([]);
		await deny.click();
		expect((await reply).body).toContain('"behavior":"deny"');
	});

	it('ignores a press that began before it was ready', async () => {
		const asking = await openAsking(roost);
		const pressed = runInPage(
			page,
			`${WAIT_FOR} ${PRESS}
			const deny = await appearance('[data-ask] ${DENY_IN_PAGE}');
			deny.dispatchEvent(new PointerEvent('pointerdown', { bubbles: true, buttons: 1 }));
			await appearance('[data-ask] ${DENY_IN_PAGE}[aria-disabled="false"]');
			deny.dispatchEvent(new PointerEvent('pointerup', { bubbles: true }));
			deny.dispatchEvent(new MouseEvent('click', { bubbles: true, cancelable: true, detail: 1 }));
			return document.querySelector('[data-ask]').dataset.state;`,
		);
		asking.ask('Bash', { command: 'make' }).catch(() => undefined);
		expect(await pressed).toBe('pending');
		const { id } = await asking.pending();
		await cardOf(page, id).locator(DENY).waitFor();
		expect(await asking.decisions()).toEqual([]);
	});

	it('does not move under a pressed pointer', async () => {
		const { above, below, reply } = await askTwice(roost);
		const deny = cardOf(page, below.id).locator(DENY);
		await deny.and(page.locator('[aria-disabled="false"]')).waitFor();
		const before = await deny.boundingBox();
		await deny.hover();
		await page.mouse.down();
		await runInPage(page, WATCH_SHIFTS);
		const heard = runInPage(page, HEAR_DECISION);
		await decide(roost, above);
		await heard;
		// The page knows the decision, and nothing of it is on screen.
		expect(await deny.boundingBox()).toEqual(before);
		expect(await runInPage(page, 'return window.shifts')).toBe(0);
		await page.mouse.up();
		expect((await reply).body).toContain('"behavior":"deny"');
		await cardOf(page, above.id).locator(':text("denied Bash")').waitFor();
		expect(await deny.count()).toBe(0);
	});

	it('ignores a press right after it moved', async () => {
		const { above, below } = await askTwice(roost);
		const deny = cardOf(page, below.id).locator(DENY);
		await deny.and(page.locator('[aria-disabled="false"]')).waitFor();
		const pressed = runInPage(page, pressOnMove(below.id));
		await decide(roost, above);
		expect(await pressed).toBe('pressed');
		await deny.and(page.locator('[aria-disabled="false"]')).waitFor();
		expect((await asksOf(roost)).map(({ id }) => id)).toEqual([below.id]);
	});

	it('of high risk asks twice for a key, and a held key counts once', async () => {
		const asking = await openAsking(roost);
		const reply = asking.ask('Bash', { command: 'rm -rf dist' });
		const { id } = await asking.pending();
		const card = cardOf(page, id);
		await card.locator('button:text-is("Hold to allow")[aria-disabled="false"]').waitFor();
		// Without a focused card, the key shows which one is meant.
		await page.keyboard.press('y');
		expect(await card.evaluate((element) => element === element.ownerDocument.activeElement)).toBe(true);
		await page.keyboard.down('y');
		for (let repeat = 0; repeat < 5; repeat += 1) await page.keyboard.down('y');
		await page.keyboard.up('y');
		await card.locator('button:text-is("Press again to allow")').waitFor();
		await page.keyboard.press('Escape');
		await card.locator('button:text-is("Hold to allow")').waitFor();
		expect(await asking.decisions()).toEqual([]);
		await page.keyboard.press('y');
		await page.keyboard.press('y');
		expect((await reply).body).toContain('"behavior":"allow"');
	});

	it('is chosen, denied and answered by keys alone; keys do nothing in a field', async () => {
		const asking = await openAsking(roost);
		const [one, two] = [asking.ask('Bash', { command: 'make 1' }), asking.ask('Bash', { command: 'make 2' })];
		await page.locator('[data-ask] >> nth=1').waitFor();
		await page.locator(`[data-ask] ${DENY}[aria-disabled="false"] >> nth=1`).waitFor();
		await page.keyboard.press('j');
		await page.keyboard.press('j');
		await page.keyboard.press('m');
		await page.keyboard.type('why not, by mey');
		expect(await page.locator('textarea').inputValue()).toBe('why not, by mey');
		await page.locator('[data-ask] button:text-is("Deny")[aria-disabled="false"] >> nth=1').waitFor();
		await page.keyboard.press('Escape');
		expect(await page.locator('textarea').count()).toBe(0);
		await page.keyboard.press('k');
		await page.locator(`[data-ask] >> nth=0`).locator(`${DENY}[aria-disabled="false"]`).waitFor();
		await page.keyboard.press('n');
		await page.keyboard.press('j');
		await page.keyboard.press('j');
		// The denied card stays for a moment, and may be gone by now.
		await page.locator(`[data-ask]:has-text("make 2") ${DENY}[aria-disabled="false"]`).waitFor();
		await page.keyboard.press('y');
		const bodies = [(await one).body, (await two).body];
		expect(bodies.map((body) => /"behavior":"(\w+)"/.exec(body)?.[1])).toEqual(['deny', 'allow']);
	});
});

/** Two requests, one above the other. */
async function askTwice(roost: RunnerProcess): Promise<{ above: AskRow; below: AskRow; reply: Promise<RawResponse> }> {
	const [first, second] = [await openAsking(roost), await openAsking(roost)];
	first.ask('Bash', { command: 'make first' }).catch(() => undefined);
	const above = await first.pending();
	const reply = second.ask('Bash', { command: 'make second' });
	return { above, below: await second.pending(), reply };
}

async function decide(roost: RunnerProcess, { sessionId, id: askId, nonce, kind }: AskRow): Promise<void> {
	const path = `/api/v1/sessions/${sessionId}/${kind === 'question' ? 'answer' : 'approve'}`;
	await roost.call('POST', path, { askId, nonce, ...(kind === 'question' ? { answers: {} } : { decision: 'deny' }) });
}

/** In a page there are only selectors of CSS. */
const DENY_IN_PAGE = 'button[class*="deny"]';

const WAIT_FOR = `
	const appearance = (selector) => new Promise((resolve) => {
		const look = () => {
			const found = document.querySelector(selector);
			if (found) { observer.disconnect(); resolve(found); }
		};
		const observer = new MutationObserver(look);
		observer.observe(document.body, { childList: true, subtree: true, attributes: true });
		look();
	});`;

const PRESS = `
	const press = (button) => {
		button.dispatchEvent(new PointerEvent('pointerdown', { bubbles: true, buttons: 1 }));
		button.dispatchEvent(new PointerEvent('pointerup', { bubbles: true }));
		button.dispatchEvent(new MouseEvent('click', { bubbles: true, cancelable: true, detail: 1 }));
	};`;

/** Faster than any finger: in the same task in which the card appears. */
function pressOnAppearance(card: string): string {
	return `${WAIT_FOR} ${PRESS} press(await appearance('${card} ${DENY_IN_PAGE}')); return 'pressed';`;
}

/** In the frame in which the card moves. */
function pressOnMove(id: string): string {
	return `${PRESS}
		const card = document.querySelector('[data-ask="${id}"]');
		const top = card.getBoundingClientRect().top;
		while (card.getBoundingClientRect().top === top) await new Promise(requestAnimationFrame);
		press(card.querySelector('${DENY_IN_PAGE}'));
		return 'pressed';`;
}

const WATCH_SHIFTS = `
	window.shifts = 0;
	new PerformanceObserver((list) => {
		for (const { value } of list.getEntries()) window.shifts += value;
	}).observe({ type: 'layout-shift' });`;

/** Resolves a few frames after the page received a decision. */
const HEAR_DECISION = `
	const { get } = Object.getOwnPropertyDescriptor(MessageEvent.prototype, 'data');
	await new Promise((resolve) => {
		Object.defineProperty(MessageEvent.prototype, 'data', {
			get() {
				const data = get.call(this);
				if (typeof data === 'string' && data.includes('"state":"denied"')) resolve();
				return data;
			},
		});
	});
	for (let frame = 0; frame < 3; frame += 1) await new Promise(requestAnimationFrame);`;
