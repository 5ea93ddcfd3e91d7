// A session that was forked or resumed shows the conversation that it continues above its own beginning, in a real browser.
import { join } from 'node:path';
import { mockAgent } from '@roost/agents/mock/driven/open-mock-agent';
import { sessionId } from '@roost/protocol/ids';
import type { SessionRow } from '@roost/protocol/session-row';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { type Chromium, runInPage, startChromium } from '../rigs/api/chromium.ts';
import { sampleAppend, sampleEvent, sampleSession, writeRecord } from '../rigs/record/sample-append.ts';
import { cannotRun, program } from '../rigs/requirements.ts';
import { type InProcessRunner, startRunner } from '../rigs/runner/runner-rig.ts';
import { createTempDir } from '../rigs/temp-dir.ts';
import { unwrap } from '../rigs/unwrap.ts';
import { waitFor } from '../rigs/wait-for.ts';
import { openPage } from '../rigs/web/open-page.ts';
import { PAST_SESSION, startWorkedRunner } from '../rigs/web/worked-runner.ts';

const ROWS = '[role="feed"] article[data-event]';
const BORDER = '[role="feed"] article[data-kind="session.continued"]';
/** Calls of the parent before the fork; more than a page. */
const BEFORE = 640;
const START = 1_700_000_000_000;

describe.skipIf(cannotRun([program('chromium')]))('continued session in a browser', { timeout: 240_000 }, () => {
	let chromium: Chromium;
	let roost: InProcessRunner;
	const stack = new AsyncDisposableStack();
	beforeAll(async () => {
		chromium = stack.use(await startChromium());
		const { path } = stack.use(await createTempDir());
		const how = { parentId: sessionId.parse('first'), startedAt: START + 4 };
		const fork = { parentId: sessionId.parse('second'), startedAt: START + 4 + BEFORE };
		await writeRecord(join(path, 'roost.db'), [
			calls('first', 5, 0, { title: 'Build the nest' }),
			calls('second', BEFORE + 60, 4, { ...how, title: 'Line the nest' }),
			calls('third', 40, 4 + BEFORE, { ...fork, nativeIds: [{ id: 'n', reason: 'fork', since: START }] }),
		]);
		roost = stack.use(await startRunner({ home: path, drives: mockAgent({ speed: 20 }) }));
	});
	afterAll(() => stack.disposeAsync());

	it('has above its first event every one of those before it, in order, and a link at each border', async () => {
		await using opened = await openPage(chromium, roost);
		const { page } = opened;
		await opened.go('/s/third');
		await page.waitForSelector(`${ROWS}:has-text("third 40")`);
		const seen = new Set<string>();
		await waitFor(
			async () => {
				for (const title of (await titlesOf(page)).toReversed()) seen.add(title);
				await scrollBy(page, -400);
				if (!seen.has('first 1')) return undefined;
				return (await page.locator(ROWS).first().getAttribute('aria-setsize')) === '-1' ? undefined : true;
			},
			{ what: 'the first event', seen: () => seen.size },
		);
		const expected = [
			...range('first', 4),
			'Resumed from Build the nest',
			...range('second', BEFORE),
			'Forked from Line the nest',
			...range('third', 40),
		];
		expect([...seen].toReversed()).toEqual(expected);
		const first = page.locator(ROWS).first();
		expect(await first.getAttribute('aria-posinset')).toBe('1');
		expect(await first.getAttribute('aria-setsize')).toBe(String(expected.length));
		await page.click(`${BORDER} a:text-is("Resumed from Build the nest")`);
		await page.waitForURL('**/s/first');
		await page.waitForSelector('h1:text-is("Build the nest")');
		expect(opened.complaints).toEqual([]);
	});

	it('keeps the row under the eye in its place while rows of its parent arrive above it', async () => {
		await using opened = await openPage(chromium, roost);
		const { page } = opened;
		const parent = Promise.withResolvers<void>();
		await page.route('**/api/v1/sessions/second*', async (route) => {
			await parent.promise;
			await route.continue();
		});
		await opened.go('/s/third');
		await page.waitForSelector(`${ROWS}:has-text("third 40")`);
		await scrollBy(page, -10_000);
		const before = await placeOfMiddle(page);
		const height = await heightOf(page);
		parent.resolve();
		await waitFor(async () => ((await heightOf(page)) > height + 5_000 ? true : undefined), { what: 'a page of the parent' });
		expect(Math.abs((await placeOf(page, before.event)) - before.top)).toBeLessThanOrEqual(1);
		await page.unrouteAll();
		expect(opened.complaints).toEqual([]);
	});

	it('opens, selects and searches events of its parent as those of that session', async () => {
		await using opened = await openPage(chromium, roost);
		const { page } = opened;
		await opened.go('/s/third');
		await page.waitForSelector(`${ROWS}:has-text("third 40")`);
		await waitFor(
			async () => {
				await scrollBy(page, -10_000);
				return (await heightOf(page)) > 10_000 ? true : undefined;
			},
			{ what: 'a page of the parent' },
		);
		await page.keyboard.press('/');
		await page.fill('[aria-label="Search this feed"]', `second ${BEFORE - 9}`);
		await page.click('button:text-is("Older")');
		const found = page.locator(`${ROWS}:has-text("second ${BEFORE - 9}")`);
		await found.and(page.locator(':focus')).waitFor();
		await page.click('search button:text-is("Close")');
		await found.locator('button[aria-expanded]').click();
		await found.locator(`pre:has-text("second ${BEFORE - 9}")`).waitFor();
		expect(await found.locator('a:has-text("Open the whole event")').getAttribute('href')).toBe(`/s/second/e/${BEFORE - 9}`);
		await found.focus();
		await page.keyboard.press('o');
		await page.waitForURL(`**/s/second/e/${BEFORE - 9}`);
		await page.waitForSelector(`main h2:has-text("second ${BEFORE - 9}")`);
		await page.goBack();
		await page.waitForSelector(`header a[href="/s/second"]:text-is("Line the nest")`);
		await page.locator(`${ROWS}:has-text("third 40")`).focus();
		for (let at = 0; at < 40; at += 1) await page.keyboard.press('k');
		await page.locator(`${BORDER}:focus`).waitFor();
		await page.keyboard.press('Enter');
		await page.waitForURL('**/s/second');
		expect(opened.complaints).toEqual([]);
	});

	it('links to the past session that it resumed, which is only in the transcripts of its agent', async () => {
		await using worked = await startWorkedRunner();
		await worked.call('POST', '/api/v1/projects/scan');
		const { projects } = await waitFor(
			async () => {
				const listed = unwrap(await worked.api.projects.list());
				return listed.scanning === null && listed.projects.length > 0 ? listed : undefined;
			},
			{ what: 'the projects' },
		);
		await using opened = await openPage(chromium, worked);
		const { page } = opened;
		const id = projects.find(({ path }) => path === worked.app)?.id;
		await opened.go(`/projects/${id}/${PAST_SESSION}`);
		await page.click('button:text-is("Resume")');
		await page.waitForURL('**/s/*');
		const link = page.locator(`${BORDER} a:text-is("Resumed from a past session")`);
		await link.waitFor();
		await link.click();
		await page.waitForURL(`**/projects/${id}/${PAST_SESSION}`);
		await page.waitForSelector('li[data-kind]:has-text("The gate closes again.")');
		expect(opened.complaints).toEqual([]);
	});
});

/** Each a moment after the one before. */
function calls(session: string, count: number, after: number, over: Partial<SessionRow>) {
	const events = Array.from({ length: count }, (_, at) => {
		const data = { tool_name: 'Bash', tool_input: { command: `${session} ${at + 1}` } };
		return { ...sampleEvent(session, at + 1, { kind: 'tool.pre', data }), ts: START + after + at + 1 };
	});
	return sampleAppend(session, events, { session: sampleSession(session, { events: count, status: 'idle', ...over }) });
}

function range(session: string, last: number): string[] {
	return Array.from({ length: last }, (_, at) => `${session} ${at + 1}`);
}

async function titlesOf(page: Page): Promise<string[]> {
	const texts = await runInPage(page, `return [...document.querySelectorAll('${ROWS}')].map((row) => row.innerText)`);
	const title = /(?:first|second|third) \d+|(?:Forked|Resumed) from .*/;
	return z
		.array(z.string())
		.parse(texts)
		.flatMap((text) => title.exec(text)?.[0] ?? []);
}

/** Resolves after the next frame was painted. */
async function scrollBy(page: Page, px: number): Promise<void> {
	await runInPage(
		page,
		`document.querySelector('[role="feed"]').scrollBy(0, ${px});
		await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)));`,
	);
}

const middle = z.object({ event: z.string(), top: z.number() });

async function placeOfMiddle(page: Page): Promise<z.infer<typeof middle>> {
	const found = `const row = [...document.querySelectorAll('${ROWS}')].find((one) => one.getBoundingClientRect().top > 250);
		return { event: row.dataset.event, top: row.getBoundingClientRect().top };`;
	return middle.parse(await runInPage(page, found));
}

async function placeOf(page: Page, event: string): Promise<number> {
	return Number(await runInPage(page, `return document.querySelector('[data-event="${event}"]').getBoundingClientRect().top`));
}

async function heightOf(page: Page): Promise<number> {
	return Number(await runInPage(page, `return document.querySelector('[role="feed"]').scrollHeight`));
}
