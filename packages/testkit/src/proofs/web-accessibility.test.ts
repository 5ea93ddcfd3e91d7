// Every page of the browser checked by axe: WCAG 2.2 AA and best practices, on a desk and on a phone, light and dark.
import { projectId } from '@roost/protocol/ids';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Chromium, runInPage, startChromium } from '../rigs/api/chromium.ts';
import { cannotRun, program } from '../rigs/requirements.ts';
import { type RunnerProcess, startRunnerProcess } from '../rigs/runner/runner-rig.ts';
import { unwrap } from '../rigs/unwrap.ts';
import { findOverflow, findViolations } from '../rigs/web/check-page.ts';
import { DESK, openPage, PHONE } from '../rigs/web/open-page.ts';
import { startWorkedRunner, type WorkedRunner } from '../rigs/web/worked-runner.ts';

/** The width of a desk at a zoom of 400 %, at which pages must reflow. */
const NARROW = { viewport: { width: 320, height: 640 }, deviceScaleFactor: 2 } as const;
const SIZES = { desk: DESK, phone: PHONE, narrow: NARROW };
const CHECKS = { desk: findViolations, phone: findViolations, narrow: findOverflow };
const NATIVE = '5f0c8f7e-0000-4000-8000-00000000000';

const LOOKS = ['desk', 'phone', 'narrow'] as const;

/** Pages over a record of some weeks, each with what shows that its data is there. */
const FILLED = [
	['/devices', '[data-row]'],
	['/rules?add=1', '[data-part="would-match"] li'],
	['/usage', 'canvas'],
	['/usage?by=session&since=all', '[data-group="total"]'],
	['/search?q=git push', 'mark'],
	['/search?q=flamingo', '[data-state="empty"]'],
	['/projects', '[data-row]'],
	['/agents', '[data-row]'],
] as const;

describe.skipIf(cannotRun([program('chromium')]))('pages of the browser', { timeout: 120_000 }, () => {
	let chromium: Chromium;
	let roost: RunnerProcess;
	beforeAll(async () => {
		[chromium, roost] = await Promise.all([startChromium(), startWaitingRunner()]);
	});
	afterAll(async () => {
		await chromium[Symbol.asyncDispose]();
		await roost[Symbol.asyncDispose]();
	});

	it.each(LOOKS)('have no violation in light and dark mode and fit the width: %s', async (size) => {
		await using opened = await openPage(chromium, roost, SIZES[size]);
		const check = CHECKS[size];
		const { page } = opened;
		await page.waitForSelector('[data-ask] >> nth=2');
		await page.waitForSelector('button:not([disabled]):text("Hold to allow")');
		const terminal = await openShell(roost);
		const [session] = unwrap(await roost.api.record.sessions());
		const asks = unwrap(await roost.api.asks.list()).map(({ id }) => `/?ask=${id}`);
		for (const address of [
			'/',
			...asks,
			'/board',
			'/t',
			`/t/${terminal}`,
			`/s/${session?.id}/terminal`,
			'/t/none',
			`/s/${session?.id}`,
			`/s/${session?.id}/e/1`,
			'/new',
			'/more',
			'/nowhere',
		]) {
			if (address !== '/') await opened.go(address);
			await page.waitForSelector(asks.includes(address) ? 'dialog [data-ask] [aria-disabled="false"]' : 'h1');
			if (address === `/t/${terminal}`) await page.waitForSelector('[data-holder="you"] .xterm-rows > div:has-text("$")');
			expect.soft(await check(page)).toEqual([]);
		}
		expect(opened.complaints).toEqual([]);
	});

	it('show focus, the current tab and a held button in forced colours, and without motion', async () => {
		const look = { ...DESK, forcedColors: 'active', reducedMotion: 'reduce' } as const;
		await using opened = await openPage(chromium, roost, look);
		const { page } = opened;
		const hold = page.locator('[data-hold][aria-disabled="false"]');
		const styleOf = (name: string, selector: string, at = 0) =>
			runInPage(page, `return getComputedStyle(document.querySelectorAll('${selector}')[${at}]).getPropertyValue('${name}')`);
		await hold.focus();
		await page.keyboard.press('Tab');
		await page.keyboard.press('Shift+Tab');
		expect(await styleOf('outline-style', '[data-hold]')).toBe('solid');
		expect(await runInPage(page, HOLD)).toEqual(['held', '4px', '0s']);
		const [session] = unwrap(await roost.api.record.sessions());
		await opened.go(`/s/${session?.id}`);
		const tab = 'nav[aria-label="Session"] a';
		expect(await styleOf('border-bottom-color', tab, 0)).not.toBe(await styleOf('border-bottom-color', tab, 1));
		const row = 'article[data-event]';
		await page.locator(row).first().focus();
		expect(await styleOf('border-left-color', row, 0)).not.toBe(await styleOf('border-left-color', row, 1));
		expect(opened.complaints).toEqual([]);
	});
});

/** Let go in the next frame, so that nothing is allowed. */
const HOLD = `
	const button = document.querySelector('[data-hold]');
	const frame = () => new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)));
	button.dispatchEvent(new PointerEvent('pointerdown', { bubbles: true }));
	await frame();
	const { outlineWidth, transitionDuration } = getComputedStyle(button);
	const seen = [button.dataset.hold, outlineWidth, transitionDuration];
	button.dispatchEvent(new PointerEvent('pointerup', { bubbles: true }));
	return seen;`;

async function openShell({ api, folder }: RunnerProcess): Promise<string> {
	const opened = await api.terminals.open({ commandId: crypto.randomUUID(), projectId: projectId.parse(folder) });
	return unwrap(opened).id;
}

describe.skipIf(cannotRun([program('chromium')]))('pages over a record of weeks', { timeout: 120_000 }, () => {
	let chromium: Chromium;
	let roost: WorkedRunner;
	beforeAll(async () => {
		[chromium, roost] = await Promise.all([startChromium(), startWorkedRunner()]);
	});
	afterAll(async () => {
		await chromium[Symbol.asyncDispose]();
		await roost[Symbol.asyncDispose]();
	});

	it.each(LOOKS)('have no violation in light and dark mode and fit the width: %s', async (size) => {
		await using opened = await openPage(chromium, roost, SIZES[size]);
		const check = CHECKS[size];
		const { page } = opened;
		for (const [address, filled] of FILLED) {
			await opened.go(address);
			await page.waitForSelector(filled);
			expect.soft(await check(page)).toEqual([]);
		}
		await page.click('[data-row]');
		await page.waitForSelector('dl');
		expect.soft(await check(page)).toEqual([]);
		await openProject(page, roost);
		expect.soft(await check(page)).toEqual([]);
		await page.click('a:has-text("Repair the gate")');
		await page.waitForSelector('li[data-kind]');
		expect.soft(await check(page)).toEqual([]);
		await opened.go('/rules');
		await page.click('button:text-is("Remove")');
		await page.waitForSelector('dialog[open]');
		expect.soft(await check(page)).toEqual([]);
		expect(opened.complaints).toEqual([]);
	});
});

async function openProject(page: Page, { url }: WorkedRunner): Promise<void> {
	await page.goto(`${url}/projects`);
	await page.click('[data-row]:has-text("app")');
	await page.waitForSelector('text=Repair the gate');
}

/** With a command of high risk, an edit and a question that wait. */
async function startWaitingRunner(): Promise<RunnerProcess> {
	const roost = await startRunnerProcess({ env: { SHELL: '/bin/sh', PS1: '$ ' } });
	const questions = [
		{ question: 'Which status?', header: 'Status', multiSelect: false, options: [{ label: '503' }, { label: '500' }] },
	];
	const edit = { file_path: '/src/health.ts', old_string: 'return 500;', new_string: `return ${'x'.repeat(300)};` };
	const calls: [string, object][] = [
		['Bash', { command: `rm -rf dist && ${'y'.repeat(300)}` }],
		['Edit', edit],
		['AskUserQuestion', { questions }],
	];
	for (const [at, [tool_name, tool_input]] of calls.entries()) {
		const agent = await roost.openLaunch();
		const session_id = `${NATIVE}${at}`;
		await agent.report({ session_id, hook_event_name: 'SessionStart', source: 'startup' });
		// Answered when the runner ends.
		agent.report({ session_id, hook_event_name: 'PermissionRequest', tool_name, tool_input }).catch(() => undefined);
	}
	return roost;
}
