// The page of a hub in a real browser, paired with a link of `roost hub invite`.
import type { BrowserContextOptions, Page, Response } from 'playwright-core';
import type { Chromium } from '../api/chromium.ts';
import type { HubProcess } from '../hub/hub-process.ts';
import { waitFor } from '../wait-for.ts';
import { DESK, isLive, type OpenedPage } from './open-page.ts';

/** Sooner than that of a test, so that a failure says what was missing. */
const DEADLINE_MS = 20_000;

/** `invite`: the words of the command, such as for another user. */
export async function openHubPage(
	chromium: Chromium,
	hub: Pick<HubProcess, 'invite' | 'url'>,
	{ options = DESK, invite = [] }: { options?: BrowserContextOptions; invite?: readonly string[] } = {},
): Promise<OpenedPage> {
	const profile = await chromium.profile(options);
	profile.keepTo(hub.url);
	profile.context.setDefaultTimeout(DEADLINE_MS);
	const page = await profile.open(await hub.invite(...invite));
	await page.getByRole('button', { name: 'Open Roost' }).click();
	await isLive(page);
	return {
		page,
		complaints: profile.complaints,
		async go(address) {
			await page.goto(`${hub.url}${address}`);
			await isLive(page);
		},
		[Symbol.asyncDispose]: () => profile.context.close(),
	};
}

/** Until the machines of so many runners were read: what is on its way when one is killed would be a complaint. */
export async function reloadUntilRead(page: Page, runners: number): Promise<void> {
	const read = new Set<string>();
	const note = (response: Response) => void (/\/(?:agents|rules)$/.test(response.url()) && read.add(response.url()));
	page.on('response', note);
	await page.reload();
	await waitFor(() => (read.size === 2 * runners ? true : undefined), { what: 'the first reads', seen: () => [...read] });
	page.off('response', note);
}
