// Prompts to a driven session from a real browser: queued, changed, kept across a reload and a crash, and sent once.
import { mockAgent } from '@roost/agents/mock/driven/open-mock-agent';
import type { SessionId } from '@roost/protocol/ids';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Chromium, startChromium } from '../rigs/api/chromium.ts';
import { cannotRun, program } from '../rigs/requirements.ts';
import { type InProcessRunner, startRunner } from '../rigs/runner/runner-rig.ts';
import { unwrap } from '../rigs/unwrap.ts';
import { waitFor } from '../rigs/wait-for.ts';
import { openPage } from '../rigs/web/open-page.ts';

const FIELD = 'textarea[aria-label="Prompt"]';
const QUEUED = 'li[data-prompt]';

describe.skipIf(cannotRun([program('chromium')]))('prompt from a browser', { timeout: 120_000 }, () => {
	let chromium: Chromium;
	let roost: InProcessRunner;
	const stack = new AsyncDisposableStack();
	beforeAll(async () => {
		chromium = stack.use(await startChromium());
		roost = stack.use(await startRunner({ drives: mockAgent({ speed: 50 }) }));
	});
	afterAll(() => stack.disposeAsync());

	it('waits for a busy agent, where it can be edited, moved and removed, and is sent in the new order', async () => {
		const id = await startWaiting(roost);
		await using opened = await openPage(chromium, roost);
		const { page } = opened;
		await opened.go(`/s/${id}`);
		for (const text of ['first wish', 'second wish', 'third wish']) await send(page, text);
		await page.waitForSelector(`${QUEUED} >> nth=2`);

		const row = (text: string) => page.locator(QUEUED, { hasText: text });
		await row('third wish').locator('button[aria-label="Move up"]').click();
		await row('first wish').locator('button:text-is("Remove")').click();
		await row('second wish').locator('button:text-is("Edit")').click();
		await page.fill('textarea[aria-label="Queued prompt"]', 'second wish, edited');
		await page.click('button:text-is("Save")');
		await row('second wish, edited').waitFor();
		await waitFor(async () => ((await queuedTexts(page)).join() === 'third wish,second wish, edited' ? true : undefined), {
			what: 'the new order',
			seen: () => queuedTexts(page),
		});
		await page.fill(FIELD, 'a draft that is not sent');

		await page.reload();
		await page.waitForSelector(`${QUEUED} >> nth=1`);
		expect(await queuedTexts(page)).toEqual(['third wish', 'second wish, edited']);
		expect(await page.inputValue(FIELD)).toBe('a draft that is not sent');

		await page.click('[data-ask] button:text("Allow once")');
		await waitFor(async () => ((await promptsOf(roost, id)).length === 3 ? true : undefined), { what: 'the queued prompts' });
		expect(await promptsOf(roost, id)).toEqual(['run the tests', 'third wish', 'second wish, edited']);
		expect(await page.inputValue(FIELD)).toBe('a draft that is not sent');
		expect(opened.complaints).toEqual([]);
	});

	it('is not lost when the tab crashes while it is written', async () => {
		const id = await startWaiting(roost);
		await using opened = await openPage(chromium, roost);
		const { page } = opened;
		await opened.go(`/s/${id}`);
		await page.locator(FIELD).pressSequentially('every character');
		const crashed = page.waitForEvent('crash');
		const session = await page.context().newCDPSession(page);
		session.send('Page.crash').catch(() => undefined);
		await crashed;
		const next = await page.context().newPage();
		await next.goto(`${roost.url}/s/${id}`);
		await next.waitForSelector(FIELD);
		expect(await next.inputValue(FIELD)).toBe('every character');
	});

	it('that got no answer is sent again, and arrives once', async () => {
		const id = await startWaiting(roost);
		await using opened = await openPage(chromium, roost);
		const { page } = opened;
		await opened.go(`/s/${id}`);
		let sent = 0;
		// The runner gets the first one, but the page never hears of it.
		await page.route(`**/api/v1/sessions/${id}/messages`, async (route) => {
			sent += 1;
			if (sent > 1) return await route.continue();
			await route.fetch();
			await route.abort();
		});
		await send(page, 'only once');
		await page.waitForSelector('text=Sending: only once');
		await waitFor(() => (sent === 2 ? true : undefined), { what: 'the second request' });
		await page.waitForSelector('text=Sending: only once', { state: 'detached' });
		expect(await queuedTexts(page)).toEqual(['only once']);
	});

	it('that is refused comes back into the field with the reason', async () => {
		const id = await startWaiting(roost);
		await using opened = await openPage(chromium, roost);
		const { page } = opened;
		await opened.go(`/s/${id}`);
		await page.route(`**/api/v1/sessions/${id}/messages`, (route) =>
			route.fulfill({ status: 409, json: { code: 'conflict', message: 'The session queue is full; retry later.' } }),
		);
		await page.fill(FIELD, 'too much');
		await page.press(FIELD, 'Enter');
		await page.waitForSelector('[role="alert"]:has-text("The session queue is full")');
		expect(await page.inputValue(FIELD)).toBe('too much');
	});
});

/** Its agent is busy: it asks for permission. */
async function startWaiting(roost: InProcessRunner): Promise<SessionId> {
	const id = await roost.startSession('run the tests');
	const isAsked = async () => unwrap(await roost.api.asks.list()).some(({ sessionId }) => sessionId === id);
	await waitFor(async () => ((await isAsked()) ? true : undefined), { what: 'the request' });
	return id;
}

async function send(page: Page, text: string): Promise<void> {
	await page.fill(FIELD, text);
	await page.press(FIELD, 'Enter');
	await waitFor(async () => ((await page.inputValue(FIELD)) === '' ? true : undefined), { what: 'an empty field' });
}

async function queuedTexts(page: Page): Promise<string[]> {
	return await page.locator(`${QUEUED} > p`).allTextContents();
}

async function promptsOf({ api }: InProcessRunner, id: SessionId): Promise<string[]> {
	const lines = unwrap(await api.feed.events({ id }));
	return lines.flatMap(({ event }) => (event.kind === 'user.prompt' ? [event.data.prompt] : []));
}
