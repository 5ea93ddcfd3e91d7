// A real Claude with a real browser: it asks on a phone, and its session moves into a terminal and back.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { callTool, message, say } from '../fakes/model-reply.ts';
import type { Script } from '../fakes/script.ts';
import { type DrivenClaude, openDrivenClaude } from '../rigs/agents/driven-claude.ts';
import { type Chromium, startChromium } from '../rigs/api/chromium.ts';
import { cannotRun, claude, program } from '../rigs/requirements.ts';
import { unwrap } from '../rigs/unwrap.ts';
import { openPage, PHONE } from '../rigs/web/open-page.ts';
import { waitForSameScreen } from '../rigs/web/terminal-screen.ts';

const SOON = { timeout: 120_000 };

/** Runs a command, or repeats which prompts it received so far. */
const script: Script = ({ lastUserText, messages }) => {
	if (lastUserText.startsWith('touch')) return message([callTool('Bash', { command: lastUserText, description: 'x' })]);
	const known = ['apple', 'pear', 'plum'].filter((fruit) => JSON.stringify(messages).includes(fruit));
	return message([say(`I know ${known.join(', ')}.`)]);
};

describe.skipIf(cannotRun([program('chromium'), claude()]))('real Claude', { timeout: 180_000 }, () => {
	let chromium: Chromium;
	let rig: DrivenClaude;
	const stack = new AsyncDisposableStack();
	beforeAll(async () => {
		chromium = stack.use(await startChromium({ windows: true }));
		rig = stack.use(await openDrivenClaude({ script }));
	});
	afterAll(() => stack.disposeAsync());

	it('asks on a phone, and runs what is allowed there', async () => {
		await using opened = await openPage(chromium, rig, PHONE);
		const session = await rig.start({ allowedTools: ['Bash'] });
		await session.send('touch made-by-phone');
		const { id } = await session.asked();
		const card = opened.page.locator(`[data-ask="${id}"]`);
		expect(await card.locator('[data-part="command"]').textContent()).toBe('touch made-by-phone');
		expect(existsSync(join(rig.folder, 'made-by-phone'))).toBe(false);
		await card.locator('button:text-is("Allow once")').tap();
		await session.until('run.end');
		expect(existsSync(join(rig.folder, 'made-by-phone'))).toBe(true);
		const [decision] = await session.of('permission.decision');
		const [device] = JSON.parse((await rig.call('GET', '/api/v1/devices')).body);
		expect(decision?.data).toMatchObject({ decision_type: 'allow', decided_by: 'user' });
		expect(decision?.data.principal).toMatch(new RegExp(`@web:${device.id}$`));
		expect(opened.complaints).toEqual([]);
	});

	it('moves into a terminal that the page shows as it is, and back, with its conversation', async () => {
		await using opened = await openPage(chromium, rig);
		const { page } = opened;
		const session = await rig.start({ prompt: 'apple' });
		await session.until('run.end');
		await opened.go(`/s/${session.id}`);
		await choose(page, 'into a terminal');
		await page.waitForURL(`**/s/${session.id}/terminal`, SOON);
		await page.waitForSelector('[data-terminal][data-state="live"][data-holder="you"]', SOON);
		await page.waitForSelector('.xterm-rows > div:has-text("? for shortcuts")', SOON);
		await page.locator('.xterm-helper-textarea').focus();
		await page.keyboard.type('pear');
		await page.waitForSelector('.xterm-rows > div:has-text("pear")', SOON);
		await page.keyboard.press('Enter');
		await page.waitForSelector('.xterm-rows > div:has-text("I know apple, pear.")', SOON);
		await session.until('run.end', 2);
		const [terminal] = unwrap(await rig.api.terminals.list());
		expect(terminal).toMatchObject({ sessionId: session.id, state: 'running' });
		const screen = await waitForSameScreen(page, rig, terminal?.id ?? '');
		expect(screen.join('\n')).toContain('I know apple, pear.');

		await page.click('nav[aria-label="Session"] a:text-is("Feed")');
		await page.waitForSelector('text=This session runs in a terminal');
		await choose(page, 'back from its terminal');
		await page.click('dialog button:text-is("Take back")');
		await page.fill('textarea[aria-label="Prompt"]', 'plum');
		await page.click('button:text-is("Send")');
		await page.waitForSelector('article:has-text("I know apple, pear, plum.")', SOON);
		expect(await session.row()).toMatchObject({ drive: { mode: 'sdk' } });
		expect(opened.complaints).toEqual([]);
	});
});

/** From the list of commands. */
async function choose(page: Page, words: string): Promise<void> {
	await page.keyboard.press('Control+k');
	await page.fill('input[aria-label="Filter commands and sessions"]', words);
	await page.keyboard.press('Enter');
}
