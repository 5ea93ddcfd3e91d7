// Requests answered in a real browser, over a real runner: the agent gets the answer, and the record names the device.
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Chromium, startChromium } from '../rigs/api/chromium.ts';
import { cannotRun, program } from '../rigs/requirements.ts';
import { startRunnerProcess } from '../rigs/runner/runner-rig.ts';
import { openAsking } from '../rigs/web/asking.ts';
import { openPage, PHONE } from '../rigs/web/open-page.ts';

const ALLOW = 'button:text("Allow once")';

describe.skipIf(cannotRun([program('chromium')]))('request in a browser', { timeout: 120_000 }, () => {
	let chromium: Chromium;
	beforeAll(async () => {
		chromium = await startChromium({ windows: true });
	});
	afterAll(() => chromium[Symbol.asyncDispose]());

	it('is shown whole on a phone, allowed with a tap, and recorded with the device', async () => {
		await using world = await openWorld(chromium);
		const command = `npm test -- ${'x'.repeat(3_000)} && echo end`;
		const reply = world.ask('Bash', { command });
		const card = await world.card();
		expect(await card.locator('[data-part="command"]').textContent()).toBe(command);
		await card.locator(ALLOW).tap();
		expect((await reply).body).toContain('"behavior":"allow"');
		await world.page.waitForSelector('[data-state="allowed"]:has-text("allowed Bash")');
		const [decision] = await world.decisions();
		expect(decision).toMatchObject({ decision_type: 'allow', decided_by: 'user' });
		expect(decision?.principal).toMatch(/@web:\w+/);
		// The decision stays for three seconds, then the inbox is empty.
		await world.page.waitForSelector('section[data-state="empty"]');
		expect(world.complaints).toEqual([]);
	});

	it('is denied with a message that the agent gets', async () => {
		await using world = await openWorld(chromium);
		const reply = world.ask('Bash', { command: 'npm publish' });
		const card = await world.card();
		await card.locator('button:text("Deny with message")').tap();
		await card.locator('textarea').fill('publish from CI only');
		await card.locator('button:text-is("Deny")').tap();
		expect((await reply).body).toContain('publish from CI only');
		expect(await world.decisions()).toMatchObject([{ decision_type: 'deny', message: 'publish from CI only' }]);
	});

	it('is edited before it is allowed, and runs as edited', async () => {
		await using world = await openWorld(chromium);
		const reply = world.ask('Bash', { command: 'npm test' });
		const card = await world.card();
		await card.locator('button:text("Edit…")').tap();
		await card.locator('textarea').fill(' ');
		expect(await card.locator('button:text("Allow this input")').isDisabled()).toBe(true);
		await card.locator('textarea').fill('npm test -- --bail');
		await card.locator('button:text("Allow this input")').tap();
		expect((await reply).body).toContain('npm test -- --bail');
		expect(await world.decisions()).toMatchObject([{ decision_type: 'allow', updated_input: { command: 'npm test -- --bail' } }]);
	});

	it('is always allowed with the offered pattern, and the next such call is not asked', async () => {
		await using world = await openWorld(chromium);
		const reply = world.ask('Bash', { command: 'npm test' });
		const card = await world.card();
		await card.locator('button:text("Always…")').tap();
		await card.locator('label:has-text("this project")').tap();
		expect(await card.locator('input[aria-label="Pattern 1"]').inputValue()).toBe('npm test *');
		await card.locator('button:text("Always allow")').tap();
		expect((await reply).body).toContain('"behavior":"allow"');
		expect((await world.ask('Bash', { command: 'npm test -- --bail' })).body).toContain('"behavior":"allow"');
		expect(await world.decisions()).toMatchObject([{ decided_by: 'user' }, { decided_by: 'rule' }]);
	});

	it('of high risk is allowed only if the button is held', async () => {
		await using world = await openWorld(chromium);
		const reply = world.ask('Bash', { command: 'rm -rf dist' });
		const card = await world.card();
		expect(await card.getAttribute('data-risk')).toBe('high');
		const hold = card.locator('button:text("Hold to allow")');
		await hold.tap();
		expect(await world.decisions()).toEqual([]);
		await hold.hover();
		await world.page.mouse.down();
		expect((await reply).body).toContain('"behavior":"allow"');
		await world.page.mouse.up();
	});

	it('that was answered elsewhere says who answered, and is no error', async () => {
		await using world = await openWorld(chromium);
		const reply = world.ask('Bash', { command: 'npm test' });
		const card = await world.card();
		const id = await card.getAttribute('data-ask');
		expect(await world.roost.roost('deny', id ?? '')).toMatchObject({ code: 0 });
		await reply;
		await world.page.waitForSelector(`[data-ask="${id}"][data-state="denied"]:has-text("@cli denied Bash")`);
		expect(await world.page.locator('[role="alert"]').count()).toBe(0);
	});
});

async function openWorld(chromium: Chromium) {
	await using stack = new AsyncDisposableStack();
	const roost = stack.use(await startRunnerProcess());
	const { ask, decisions } = await openAsking(roost);
	const { page, complaints } = stack.use(await openPage(chromium, roost, PHONE));
	const owned = stack.move();
	return {
		roost,
		page,
		complaints,
		ask,
		card: () => firstCard(page),
		decisions,
		[Symbol.asyncDispose]: () => owned.disposeAsync(),
	};
}

async function firstCard(page: Page) {
	await page.waitForSelector('[data-ask][data-state="pending"]');
	return page.locator('[data-ask]').first();
}
