// Roost in a real browser: a page of a runner, logged in with a link and connected.
import { ticketIssued } from '@roost/protocol/api/devices';
import type { BrowserContextOptions, Page } from 'playwright-core';
import type { Chromium } from '../api/chromium.ts';
import type { RunnerProcess } from '../runner/runner-rig.ts';

export const PHONE = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true } as const;
export const DESK = { viewport: { width: 1280, height: 800 } } as const;

export type OpenedPage = AsyncDisposable & {
	readonly page: Page;
	/** Console errors, uncaught errors, policy violations and requests to another origin. */
	readonly complaints: readonly string[];
	/** Opens another address of the page, and waits until it is live. */
	go(address: string): Promise<void>;
};

export async function openPage(
	chromium: Chromium,
	roost: Pick<RunnerProcess, 'call' | 'url'>,
	options: BrowserContextOptions = DESK,
): Promise<OpenedPage> {
	const profile = await chromium.profile(options);
	profile.keepTo(roost.url);
	const { path } = ticketIssued.parse(JSON.parse((await roost.call('POST', '/api/v1/tickets')).body));
	const page = await profile.open(`${roost.url}${path}`);
	await isLive(page);
	return {
		page,
		complaints: profile.complaints,
		async go(address) {
			await page.goto(`${roost.url}${address}`);
			await isLive(page);
		},
		[Symbol.asyncDispose]: () => profile.context.close(),
	};
}

export async function isLive(page: Page): Promise<void> {
	await page.waitForSelector('[role="status"][data-state="live"]');
}
