// The page of a session in a real browser: a long feed, live events, and prompts, with a real runner.
import { join } from 'node:path';
import { mockAgent } from '@roost/agents/mock/driven/open-mock-agent';
import { isTransient } from '@roost/core/feed/filter';
import { eventTitle } from '@roost/core/feed/title';
import { hasRow } from '@roost/core/views/feed-row';
import type { FeedEvent } from '@roost/protocol/feed/event';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { type Chromium, runInPage, startChromium } from '../rigs/api/chromium.ts';
import { everyEvent } from '../rigs/record/every-event.ts';
import { sampleAppend, sampleEvent, sampleSession, writeRecord } from '../rigs/record/sample-append.ts';
import { cannotRun, program } from '../rigs/requirements.ts';
import { type InProcessRunner, startRunner } from '../rigs/runner/runner-rig.ts';
import { createTempDir } from '../rigs/temp-dir.ts';
import { waitFor } from '../rigs/wait-for.ts';
import { openAsking } from '../rigs/web/asking.ts';
import { openPage, PHONE } from '../rigs/web/open-page.ts';

const LONG = process.env.ROOST_SOAK === '1' ? 100_000 : 4_000;
const ROWS = '[role="feed"] article[data-event]';
const MOST_ROWS = 60;

describe.skipIf(cannotRun([program('chromium')]))('session in a browser', { timeout: 240_000 + 5 * LONG }, () => {
	let chromium: Chromium;
	let roost: InProcessRunner;
	const stack = new AsyncDisposableStack();
	beforeAll(async () => {
		chromium = stack.use(await startChromium());
		const { path } = stack.use(await createTempDir());
		await writeRecord(join(path, 'roost.db'), [...longSession(), everyKind(), decidedCalls()]);
		roost = stack.use(await startRunner({ home: path, drives: mockAgent({ speed: 20 }) }));
	});
	afterAll(() => stack.disposeAsync());

	it('shows the end of a long feed with few rows, and every event back to the first', async () => {
		await using opened = await openPage(chromium, roost);
		await opened.go('/s/long');
		const { page } = opened;
		await page.waitForSelector(`${ROWS}:has-text("call ${LONG}")`);
		const seen = new Set<string>();
		let most = 0;
		while (!seen.has('call 1')) {
			const titles = await titlesOf(page);
			most = Math.max(most, titles.length);
			// No frame is blank.
			expect(titles.length).toBeGreaterThan(5);
			for (const title of titles) seen.add(title);
			await scrollBy(page, -600);
		}
		expect(most).toBeLessThanOrEqual(MOST_ROWS);
		expect(seen.size).toBe(LONG);
		expect(await runInPage(page, 'return document.querySelectorAll("*").length')).toBeLessThan(1_500);
		expect(opened.complaints).toEqual([]);
	});

	it('keeps the row under the eye in its place while older pages arrive above it and rows open', async () => {
		await using opened = await openPage(chromium, roost);
		await opened.go('/s/long');
		const { page } = opened;
		await page.waitForSelector(`${ROWS}:has-text("call ${LONG}")`);
		for (let round = 0; round < 3; round += 1) {
			const older = Promise.withResolvers<void>();
			await page.route('**/api/v1/sessions/long/feed*', async (route) => {
				await older.promise;
				await route.continue();
			});
			await scrollBy(page, 600 - (await scrollTop(page)));
			const before = await placeOfMiddle(page);
			older.resolve();
			await waitFor(async () => ((await countRead(page)) > before.read ? true : undefined), { what: 'an older page' });
			await page.unrouteAll();
			expect(Math.abs((await placeOf(page, before.event)) - before.top)).toBeLessThanOrEqual(1);
		}
		const before = await placeOfMiddle(page);
		const above = page.locator(ROWS).first();
		await above.locator('button[aria-expanded]').dispatchEvent('click');
		await page.waitForSelector(`${ROWS} >> text=Open the whole event`, { state: 'attached' });
		expect(Math.abs((await placeOf(page, before.event)) - before.top)).toBeLessThanOrEqual(1);
	});

	it('follows new events at the end, and moves nothing while the user reads older ones', async () => {
		await using opened = await openPage(chromium, roost);
		const { page } = opened;
		const agent = await roost.openLaunch();
		const session_id = '5f0c8f7e-0000-4000-8000-000000000042';
		const report = async (from: number, to: number) => {
			for (let at = from; at < to; at += 1) {
				const call = { session_id, tool_name: 'Bash', tool_input: { command: `echo ${at}` }, tool_use_id: `t${at}` };
				await agent.report({ ...call, hook_event_name: 'PreToolUse' });
			}
		};
		await agent.report({ session_id, hook_event_name: 'SessionStart', source: 'startup' });
		await report(0, 80);
		await opened.go(`/s/${agent.sessionId}`);
		await page.waitForSelector(`${ROWS}:has-text("echo 79")`);
		await report(80, 120);
		await page.waitForSelector(`${ROWS}:has-text("echo 119")`);
		expect(await runInPage(page, `return ${IS_AT_END}`)).toBe(true);

		await scrollBy(page, -800);
		const before = await placeOfMiddle(page);
		await report(120, 150);
		await page.waitForSelector('button:text("30 new")');
		expect(await placeOf(page, before.event)).toBe(before.top);
		await page.click('button:text("30 new")');
		await page.waitForSelector(`${ROWS}:has-text("echo 149")`);
		expect(opened.complaints).toEqual([]);
	});

	it('finds a row of an older page that was not read, says how far it is, and stops at Escape', async () => {
		await using opened = await openPage(chromium, roost);
		await opened.go('/s/long');
		const { page } = opened;
		await page.waitForSelector(`${ROWS}:has-text("call ${LONG}")`);
		const older = Promise.withResolvers<void>();
		await page.route('**/api/v1/sessions/long/feed*', async (route) => {
			await older.promise;
			await route.continue();
		});
		await page.keyboard.press('/');
		await page.keyboard.type('CALL 37)');
		await page.keyboard.press('Enter');
		const progress = `Searching older events… 150 of ${LONG.toLocaleString('en')}`;
		await page.waitForSelector(`search [role="status"]:text-is("${progress}")`);
		await page.keyboard.press('Escape');
		await page.waitForSelector('search [role="status"]:empty', { state: 'attached' });
		const before = await countRead(page);
		older.resolve();
		await waitFor(async () => ((await countRead(page)) > before ? true : undefined), { what: 'the older page' });
		expect(await page.locator(`${ROWS}:focus`).count()).toBe(0);

		await page.keyboard.press('Enter');
		await page.waitForSelector(`${ROWS}:focus:has-text("call 37)")`);
		await page.waitForSelector('search [role="status"]:empty', { state: 'attached' });
		expect(await runInPage(page, IS_FOCUS_SHOWN)).toBe(true);
		await page.keyboard.press('n');
		await page.waitForSelector('search :text("No older match")');
		await page.keyboard.press('N');
		await page.waitForSelector('search :text("No newer match")');
		expect(await page.getAttribute('search a', 'href')).toBe('/search?q=CALL%2037)');
		await page.keyboard.press('Escape');
		await page.waitForSelector('search', { state: 'detached' });
		expect(opened.complaints).toEqual([]);
	});

	it('is searched on a phone from the menu', async () => {
		await using opened = await openPage(chromium, roost, PHONE);
		await opened.go('/s/long');
		const { page } = opened;
		await page.waitForSelector(`${ROWS}:has-text("call ${LONG}")`);
		await page.locator('button[aria-label="More actions"]').tap();
		await page.locator('button:text-is("Search this feed")').tap();
		await page.waitForSelector('input[aria-label="Search this feed"]:focus');
		await page.keyboard.type('call 39)');
		await page.locator('search button:text-is("Older")').tap();
		await page.waitForSelector(`${ROWS}:focus:has-text("call 39)")`);
	});

	it('says why older events could not be searched, and searches again', async () => {
		await using opened = await openPage(chromium, roost);
		await opened.go('/s/long');
		const { page } = opened;
		await page.waitForSelector(`${ROWS}:has-text("call ${LONG}")`);
		await page.route('**/api/v1/sessions/long/feed*', (route) => route.abort());
		await page.keyboard.press('/');
		await page.keyboard.type('call 38)');
		await page.keyboard.press('Enter');
		await page.waitForSelector('search [role="status"]:has-text("Older events could not be read")');
		await page.unrouteAll();
		await page.click('search button:text-is("Older")');
		await page.waitForSelector(`${ROWS}:focus:has-text("call 38)")`);
	});

	it('does not repeat in the card of a request what the page says about its session', async () => {
		await using opened = await openPage(chromium, roost);
		const { page } = opened;
		const asking = await openAsking(roost, { prompt: 'Make the tea' });
		const reply = asking.ask('Bash', { command: 'make tea' });
		const { id } = await asking.pending();
		await opened.go('/');
		const card = page.locator(`[data-ask="${id}"]`);
		await card.locator('a:text-is("Make the tea")').waitFor();
		await opened.go(`/s/${asking.sessionId}`);
		await card.locator(':text("Asked because no rule matched.")').waitFor();
		expect(await card.locator('a').count()).toBe(0);
		expect(await card.textContent()).not.toContain(roost.folder);
		await card.locator('button:text-is("Deny")').click();
		await reply;
	});

	it('says on the row of a call who decided about it, and opened, why', async () => {
		await using opened = await openPage(chromium, roost);
		const { page } = opened;
		await opened.go('/s/decided');
		for (const [{ decided_by }, words] of DECISIONS) {
			const row = page.locator(`${ROWS}:has-text("echo ${decided_by}")`);
			await row.locator(`text=${words}`).first().waitFor();
			await row.locator('button[aria-expanded]').click();
			await row.locator(`text=because ${decided_by}`).waitFor();
		}
		expect(opened.complaints).toEqual([]);
	});

	it('opens an event that a search found, in a session that was not opened before', async () => {
		await using opened = await openPage(chromium, roost);
		const { page } = opened;
		// No other number begins with it.
		const early = LONG - 963;
		await opened.go(`/search?q=call%20${early}`);
		await page.click(`a[href="/s/long/e/${early}"]`);
		await page.waitForSelector(`main h2:has-text("call ${early}")`);
		expect(await page.textContent('main section[aria-labelledby="whole"]')).toContain(`call ${early}`);
	});

	it('has a row with words for every kind of event, and opens each of them', async () => {
		await using opened = await openPage(chromium, roost);
		const { page } = opened;
		await opened.go('/s/kinds');
		await page.waitForSelector(ROWS);
		const events = everyKindEvents();
		// A result is shown with its call.
		const expected = new Set(events.flatMap((event) => (hasRow(event) && event.kind !== 'tool.post' ? [event.kind] : [])));
		const kinds = new Set<string>();
		do {
			for (const kind of await kindsOf(page)) kinds.add(kind);
			await scrollBy(page, -300);
		} while ((await scrollTop(page)) > 0);
		for (const kind of await kindsOf(page)) kinds.add(kind);
		expect(kinds).toEqual(expected);
		const all = events.length;
		for (const offset of [1, Math.floor(all / 2), all]) {
			await opened.go(`/s/kinds/e/${offset}`);
			await page.waitForSelector('summary:text("Stored line")');
			const title = eventTitle(everyKindEvents()[offset - 1] ?? sampleEvent('kinds', 1));
			expect(await page.textContent('main h2')).toContain(title.slice(0, 20));
		}
		expect(opened.complaints).toEqual([]);
	});
});

const IS_FOCUS_SHOWN = `
	const { top, bottom } = document.activeElement.getBoundingClientRect();
	const box = document.querySelector('[role="feed"]').getBoundingClientRect();
	return top >= box.top - 1 && bottom <= box.bottom + 1;
`;

const IS_AT_END = `(() => { const feed = document.querySelector('[role="feed"]'); return feed.scrollHeight - feed.scrollTop - feed.clientHeight < 8; })()`;

function longSession() {
	const events = Array.from({ length: LONG }, (_, at) =>
		sampleEvent('long', at + 1, {
			kind: 'tool.pre',
			data: { tool_name: 'Bash', tool_input: { command: `call ${at + 1}` } },
		}),
	);
	const session = sampleSession('long', { events: LONG, status: 'idle' });
	const batches = Array.from({ length: Math.ceil(LONG / 1_000) }, (_, at) => events.slice(at * 1_000, (at + 1) * 1_000));
	return batches.map((batch) => sampleAppend('long', batch, { session }));
}

/** One stored event of each form; the session has no others, so their offsets are known. */
function everyKindEvents(): FeedEvent[] {
	const stored = everyEvent('words of an agent', 1).filter((event) => !isTransient(event));
	return stored.map((event, at) => {
		const { event_id, seq, ts, session_id, run_id, actor_id } = sampleEvent('kinds', at + 1);
		return { ...event, event_id, seq, ts, session_id, run_id, actor_id };
	});
}

function everyKind() {
	const events = everyKindEvents();
	return sampleAppend('kinds', events, { session: sampleSession('kinds', { events: events.length, status: 'idle' }) });
}

const DECISIONS = [
	[{ decided_by: 'user', principal: 'lea@web:phone' }, 'allowed by lea@web:phone'],
	[{ decided_by: 'rule', rule_id: 'r7' }, 'allowed by rule r7'],
	[{ decided_by: 'system' }, 'allowed by Roost'],
	[{ decided_by: 'terminal' }, 'allowed reported by the agent'],
	[{ decided_by: 'timeout' }, 'allowed timed out'],
] as const;

function decidedCalls() {
	const events = DECISIONS.flatMap(([origin], at): FeedEvent[] => {
		const { decided_by } = origin;
		const data = { tool_name: 'Bash', tool_input: { command: `echo ${decided_by}` } };
		const call = sampleEvent('decided', at * 2 + 1, { kind: 'tool.pre', data });
		const decision = { decision_type: 'allow', reason: `because ${decided_by}`, ...origin } as const;
		return [
			call,
			{
				...sampleEvent('decided', at * 2 + 2, { kind: 'permission.decision', data: decision }),
				cause: { parent_event_id: call.event_id },
			},
		];
	});
	return sampleAppend('decided', events, { session: sampleSession('decided', { events: events.length, status: 'idle' }) });
}

async function titlesOf(page: Page): Promise<string[]> {
	const texts = await runInPage(page, `return [...document.querySelectorAll('${ROWS}')].map((row) => row.innerText)`);
	return z
		.array(z.string())
		.parse(texts)
		.flatMap((text) => /call \d+/.exec(text)?.[0] ?? []);
}

async function kindsOf(page: Page): Promise<string[]> {
	return z
		.array(z.string())
		.parse(await runInPage(page, `return [...document.querySelectorAll('${ROWS}')].map((row) => row.dataset.kind)`));
}

/** Resolves after the next frame was painted. */
async function scrollBy(page: Page, px: number): Promise<void> {
	await runInPage(
		page,
		`document.querySelector('[role="feed"]').scrollBy(0, ${px});
		await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)));`,
	);
}

const middle = z.object({ event: z.string(), top: z.number(), read: z.number() });

async function placeOfMiddle(page: Page): Promise<z.infer<typeof middle>> {
	const found = await runInPage(
		page,
		`const rows = [...document.querySelectorAll('${ROWS}')].filter((row) => row.getBoundingClientRect().top > 250);
		const feed = document.querySelector('[role="feed"]');
		return { event: rows[0].dataset.event, top: rows[0].getBoundingClientRect().top, read: feed.scrollHeight };`,
	);
	return middle.parse(found);
}

async function placeOf(page: Page, event: string): Promise<number> {
	return Number(await runInPage(page, `return document.querySelector('[data-event="${event}"]').getBoundingClientRect().top`));
}

async function scrollTop(page: Page): Promise<number> {
	return Number(await runInPage(page, `return document.querySelector('[role="feed"]').scrollTop`));
}

/** The height of everything that was read. */
async function countRead(page: Page): Promise<number> {
	return Number(await runInPage(page, `return document.querySelector('[role="feed"]').scrollHeight`));
}
