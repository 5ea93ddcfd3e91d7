// Every action of the table, performed with the keyboard alone in a real browser, over a real runner.
import type { SessionId } from '@roost/protocol/ids';
import { type Chromium, runInPage, startChromium } from '@roost/testkit/rigs/api/chromium';
import { cannotRun, program } from '@roost/testkit/rigs/requirements';
import { type InProcessRunner, startRunner } from '@roost/testkit/rigs/runner/runner-rig';
import { unwrap } from '@roost/testkit/rigs/unwrap';
import { waitFor } from '@roost/testkit/rigs/wait-for';
import { type OpenedPage, openPage } from '@roost/testkit/rigs/web/open-page';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { ACTIONS, type ActionName } from './actions.ts';

type World = {
	readonly page: OpenedPage['page'];
	/** It waits for an answer about an edit. */
	readonly id: SessionId;
	go(address: string): Promise<void>;
	/** Presses keys as the table writes them. */
	press(keys: string): Promise<void>;
	/** Performs an action from the list of commands. */
	choose(action: ActionName): Promise<void>;
};

type Walk = (world: World, keys: string) => Promise<void>;

const FEED_ROW = '[role="feed"] article[data-event]';

const goesTo =
	(path: string): Walk =>
	async ({ page, press }, keys) => {
		await press(keys);
		await page.waitForURL(({ pathname }) => pathname === path);
	};

const opens =
	(selector: string): Walk =>
	async ({ page, press }, keys) => {
		await press(keys);
		await page.waitForSelector(selector);
	};

const onFeed =
	(walk: Walk): Walk =>
	async (world, keys) => {
		await world.go(`/s/${world.id}`);
		await world.page.waitForSelector(FEED_ROW);
		await walk(world, keys);
	};

/** On a card that has the focus and takes answers. */
const onCard =
	(walk: Walk): Walk =>
	async (world, keys) => {
		const card = `[data-ask^="${world.id}."]`;
		await world.page.waitForSelector(`${card} button[aria-disabled="false"]`);
		while (!(await world.page.locator(`${card}:focus`).count())) await world.press('j');
		await walk(world, keys);
	};

const chosen =
	(walk: (world: World) => Promise<unknown>): Walk =>
	async (world) => {
		await world.go(`/s/${world.id}`);
		await world.page.waitForSelector(FEED_ROW);
		await walk(world);
	};

/** Proven elsewhere: they need a repository with changes, or an agent that has a terminal. */
const ELSEWHERE = ['comment', 'commentRange', 'intoTerminal', 'takeBack'] as const;

const WALKS: Readonly<Record<Exclude<ActionName, (typeof ELSEWHERE)[number]>, Walk>> = {
	help: opens('dialog[open]:has-text("Keys")'),
	commands: opens('dialog[open]:has-text("Commands")'),
	inbox: goesTo('/'),
	board: goesTo('/board'),
	search: goesTo('/search'),
	rules: goesTo('/rules'),
	usage: goesTo('/usage'),
	projects: goesTo('/projects'),
	agents: goesTo('/agents'),
	devices: goesTo('/devices'),
	terminals: goesTo('/t'),
	async back({ page, id, go, press }, keys) {
		await go(`/s/${id}/e/1`);
		await page.waitForSelector('summary:text("Stored line")');
		await press(keys);
		await page.waitForURL(({ pathname }) => pathname === `/s/${id}`);
	},
	firstAsk: opens('dialog[open] [data-ask]'),
	next: onFeed(opens(`${FEED_ROW}:focus`)),
	previous: onFeed(opens(`${FEED_ROW}:focus`)),
	open: onFeed(async ({ page, press }, keys) => {
		await press('k');
		await press('k');
		await press(keys);
		await page.waitForSelector(`${FEED_ROW}:focus-within button[aria-expanded="true"]`);
	}),
	openWhole: onFeed(async ({ page, press }, keys) => {
		await press('k');
		await press(keys);
		await page.waitForURL(({ pathname }) => pathname.includes('/e/'));
	}),
	follow: onFeed(async ({ page, press }, keys) => {
		await page.setViewportSize({ width: 1280, height: 420 });
		const scroll = async () => {
			await runInPage(page, `document.querySelector('[role="feed"]').scrollTo(0, 0)`);
			return (await page.locator('button:text("Latest")').count()) || undefined;
		};
		await waitFor(scroll, { what: 'a feed that does not follow', deadlineMs: 30_000 });
		await press(keys);
		await page.waitForSelector('button:text("Latest")', { state: 'detached' });
		await page.setViewportSize({ width: 1280, height: 800 });
	}),
	find: onFeed(opens('input[aria-label="Search this feed"]:focus')),
	nextHit: onFeed(findsBothWays),
	previousHit: onFeed(findsBothWays),
	allow: onCard(async ({ page, id, press }, keys) => {
		await press(keys);
		await page.waitForSelector(`[data-ask^="${id}."][data-state="allowed"]`);
	}),
	deny: onCard(async ({ page, id, press }, keys) => {
		await press(keys);
		await page.waitForSelector(`[data-ask^="${id}."][data-state="denied"]`);
	}),
	denyWithMessage: onCard(opens('textarea[aria-label="Message for the agent"]')),
	edit: onCard(opens('textarea[aria-label="Edited input"]')),
	write: onFeed(opens('textarea[aria-label="Prompt"]:focus')),
	send: onFeed(async ({ page, press }, keys) => {
		await press('i');
		await page.keyboard.type('one more thing');
		await press(keys);
		await page.waitForSelector('li[data-prompt]:has-text("one more thing")');
	}),
	nextSession: onFeed(movesToAnother),
	previousSession: onFeed(movesToAnother),
	interrupt: chosen(async ({ page, choose }) => {
		await choose('interrupt');
		await page.waitForSelector('text=the last run was interrupted');
	}),
	rename: chosen(async ({ page, choose }) => {
		await choose('rename');
		await page.waitForSelector('input[aria-label="Title"]:focus');
		await page.keyboard.press('Control+a');
		await page.keyboard.type('Another title');
		await page.keyboard.press('Enter');
		await page.waitForSelector('h1:text("Another title")');
	}),
	fork: chosen(async ({ page, id, choose }) => {
		await choose('fork');
		await page.waitForURL(({ pathname }) => pathname.startsWith('/s/') && pathname !== `/s/${id}`);
	}),
	endSession: chosen(endIt),
	resume: chosen(async (world) => {
		await endIt(world);
		await world.choose('resume');
		await world.page.waitForSelector('header:has-text("idle")');
	}),
	archive: chosen(async ({ page, id, choose }) => {
		await choose('archive');
		await page.waitForSelector(`nav[aria-label="Sessions"] a[href="/s/${id}"]`, { state: 'detached' });
	}),
	newSession: chosen(async ({ page, choose }) => {
		await choose('newSession');
		await page.waitForURL(({ pathname }) => pathname === '/new');
	}),
};

describe.skipIf(cannotRun([program('chromium')]))('keyboard alone', { timeout: 120_000 }, () => {
	let chromium: Chromium;
	let roost: InProcessRunner;
	let opened: OpenedPage;
	const stack = new AsyncDisposableStack();
	beforeAll(async () => {
		chromium = stack.use(await startChromium());
		roost = stack.use(await startRunner());
		opened = stack.use(await openPage(chromium, roost));
	});
	afterAll(() => stack.disposeAsync());

	const rows = Object.entries(ACTIONS).flatMap(([name, { keys }]) =>
		(keys.length === 0 ? [''] : keys).map((one) => [name, one] as const),
	);
	it.each(rows.filter(([name]) => isWalked(name)))('performs %s with "%s"', async (name, keys) => {
		if (!isWalked(name)) throw new Error(`no walk for ${name}`);
		const id = await startAsking(roost);
		const { page, go } = opened;
		await go('/');
		const press = async (given: string) => {
			for (const key of given.split(' ')) await page.keyboard.press(key.replace('Mod+', 'Control+'));
		};
		const choose = async (action: ActionName) => {
			await page.keyboard.press('Control+k');
			await page.waitForSelector('dialog[open] input:focus');
			await page.keyboard.type(ACTIONS[action].words);
			await page.keyboard.press('Enter');
		};
		await WALKS[name]({ page, id, go, press, choose }, keys);
		expect(opened.complaints).toEqual([]);
	});

	it('does nothing with single keys once they are switched off', async () => {
		const { page } = opened;
		await opened.go('/');
		await page.keyboard.press('?');
		await page.click('label:has-text("Use keys without")');
		await page.keyboard.press('Escape');
		await page.waitForSelector('dialog[open]', { state: 'detached' });
		await page.keyboard.press('g');
		await page.keyboard.press('b');
		await page.keyboard.press('Control+k');
		await page.waitForSelector('dialog[open]:has-text("Commands")');
		expect(new URL(page.url()).pathname).toBe('/');
	});
});

async function findsBothWays({ page, press }: World, keys: string): Promise<void> {
	await press('/');
	await page.waitForSelector('input[aria-label="Search this feed"]:focus');
	await page.keyboard.type('e');
	await page.keyboard.press('Enter');
	const first = await page.waitForSelector(`${FEED_ROW}:focus`);
	await page.keyboard.press('N');
	await page.waitForSelector(`${FEED_ROW}:focus`);
	await press(keys);
	const then = await page.waitForSelector(`${FEED_ROW}:focus`);
	expect(await then.getAttribute('data-kind')).not.toBeNull();
	expect(await first.getAttribute('data-event')).not.toBeNull();
}

async function movesToAnother({ page, id, press }: World, keys: string): Promise<void> {
	await page.waitForSelector('nav[aria-label="Sessions"] a >> nth=1');
	const listed = `return [...document.querySelectorAll('nav[aria-label="Sessions"] a')].map((link) => link.getAttribute('href'))`;
	const links = z.array(z.string()).parse(await runInPage(page, listed));
	const at = links.indexOf(`/s/${id}`);
	const to = links[at + (keys === ']' ? 1 : -1)];
	await press(keys);
	if (to) await page.waitForURL(({ pathname }) => pathname === to);
	else expect(new URL(page.url()).pathname).toBe(`/s/${id}`);
}

async function endIt({ page, choose }: World): Promise<void> {
	await choose('endSession');
	await page.waitForSelector('dialog[open]:has-text("End this session?")');
	await page.keyboard.press('Tab');
	while (!(await page.locator('button:text-is("End session"):focus').count())) await page.keyboard.press('Tab');
	await page.keyboard.press('Enter');
	await page.waitForSelector('header:has-text("ended")');
}

async function startAsking(roost: InProcessRunner): Promise<SessionId> {
	const id = await roost.startSession('fix it');
	const isAsked = async () => unwrap(await roost.api.asks.list()).some(({ sessionId }) => sessionId === id);
	await waitFor(async () => ((await isAsked()) ? true : undefined), { what: 'the request' });
	return id;
}

function isWalked(name: string): name is keyof typeof WALKS {
	return name in WALKS;
}
