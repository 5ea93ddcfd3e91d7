// Every page of the browser checked by axe: WCAG 2.2 AA and best practices, on a desk and on a phone, light and dark.
import { projectId } from '@roost/protocol/ids';
import axe from 'axe-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { type Chromium, runInPage, startChromium } from '../rigs/api/chromium.ts';
import { cannotRun, program } from '../rigs/requirements.ts';
import { type RunnerProcess, startRunnerProcess } from '../rigs/runner/runner-rig.ts';
import { unwrap } from '../rigs/unwrap.ts';
import { DESK, openPage, PHONE } from '../rigs/web/open-page.ts';

const TAGS = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];
const SIZES = { desk: DESK, phone: PHONE };
const NATIVE = '5f0c8f7e-0000-4000-8000-00000000000';

const violations = z.array(z.object({ id: z.string(), nodes: z.array(z.object({ html: z.string() })) }));

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

	it.each([
		['desk', 'light'],
		['desk', 'dark'],
		['phone', 'light'],
		['phone', 'dark'],
	] as const)('have no violation on a %s in %s mode, and fit its width', async (size, colorScheme) => {
		await using opened = await openPage(chromium, roost, { ...SIZES[size], colorScheme });
		const { page } = opened;
		await page.waitForSelector('[data-ask] >> nth=2');
		await page.waitForSelector('button:not([disabled]):text("Hold to allow")');
		const terminal = await openShell(roost);
		const [session] = unwrap(await roost.api.record.sessions());
		for (const address of ['/', '/board', '/t', `/t/${terminal}`, `/s/${session?.id}/terminal`, '/t/none', '/nowhere']) {
			if (address !== '/') await opened.go(address);
			await page.waitForSelector('h1');
			if (address === `/t/${terminal}`) await page.waitForSelector('[data-holder="you"] .xterm-rows > div:has-text("$")');
			const run = `${axe.source}; return (await axe.run(document, { runOnly: ${JSON.stringify(TAGS)} })).violations;`;
			const found = violations.parse(await runInPage(page, run));
			expect.soft(found.map(({ id, nodes }) => [address, id, nodes.map(({ html }) => html)])).toEqual([]);
			expect.soft(await runInPage(page, 'return document.documentElement.scrollWidth <= innerWidth')).toBe(true);
		}
		expect(opened.complaints).toEqual([]);
	});
});

async function openShell({ api, folder }: RunnerProcess): Promise<string> {
	const opened = await api.terminals.open({ commandId: crypto.randomUUID(), projectId: projectId.parse(folder) });
	return unwrap(opened).id;
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
