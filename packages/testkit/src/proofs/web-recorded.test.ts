// Recorded sessions of every agent in a real browser: the text of each row, closed and opened, compared with a file that people read.
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { type Chromium, runInPage, startChromium } from '../rigs/api/chromium.ts';
import { goldenText } from '../rigs/record/feed-golden.ts';
import { type RecordedAgent, readRecordedSession } from '../rigs/record/recorded-sessions.ts';
import { sampleAppend, sampleSession, writeRecord } from '../rigs/record/sample-append.ts';
import { cannotRun, program } from '../rigs/requirements.ts';
import { type InProcessRunner, startRunner } from '../rigs/runner/runner-rig.ts';
import { createTempDir } from '../rigs/temp-dir.ts';
import { waitFor } from '../rigs/wait-for.ts';
import { findViolations } from '../rigs/web/check-page.ts';
import { openPage } from '../rigs/web/open-page.ts';

const GOLDENS = join(import.meta.dirname, '..', '..', 'golden', 'web');
const AGENTS: readonly RecordedAgent[] = ['claude', 'codex', 'copilot', 'pi', 'acp'];
const ROWS = '[role="feed"] article[data-event]';
/** High enough for every row of a session, opened: the page shows no others. */
const heightFor = (events: number) => 1_000 + 220 * events;

describe.skipIf(cannotRun([program('chromium')]))('recorded session in a browser', { timeout: 120_000 }, () => {
	let chromium: Chromium;
	let roost: InProcessRunner;
	const sizes = new Map<RecordedAgent, number>();
	const stack = new AsyncDisposableStack();
	beforeAll(async () => {
		chromium = stack.use(await startChromium());
		const { path } = stack.use(await createTempDir());
		const sessions = AGENTS.map(async (agent) => {
			const events = await readRecordedSession(agent);
			sizes.set(agent, events.length);
			return sampleAppend(agent, events, { session: sampleSession(agent, { agent, status: 'ended', events: events.length }) });
		});
		await writeRecord(join(path, 'roost.db'), await Promise.all(sessions));
		roost = stack.use(await startRunner({ home: path }));
	});
	afterAll(() => stack.disposeAsync());

	it.each(AGENTS)('of %s has readable rows, closed and opened, without a violation in light and dark', async (agent) => {
		await using opened = await openPage(chromium, roost);
		const { page } = opened;
		await page.setViewportSize({ width: 1280, height: heightFor(sizes.get(agent) ?? 0) });
		await opened.go(`/s/${agent}`);
		await page.waitForSelector(`${ROWS}[aria-posinset="1"]`);
		const closed = await readRows(page);
		await openEveryRow(page);
		const text = toText(closed, await readRows(page));
		expect.soft(await findViolations(page)).toEqual([]);
		expect(opened.complaints).toEqual([]);
		expect(text).toBe(goldenText(join(GOLDENS, `${agent}.txt`), text));
	});

	it('shows a live event of a kind that the page does not know, and the events after it', async () => {
		await using opened = await openPage(chromium, roost);
		const { page } = opened;
		await page.routeWebSocket(/./, (socket) => {
			const server = socket.connectToServer();
			server.onMessage((message) => socket.send(String(message).replaceAll('"kind":"notification"', '"kind":"brand.new"')));
		});
		const agent = await roost.openLaunch();
		const session_id = '5f0c8f7e-0000-4000-8000-000000000077';
		await agent.report({ session_id, hook_event_name: 'SessionStart', source: 'startup' });
		await opened.go(`/s/${agent.sessionId}`);
		await page.waitForSelector(`${ROWS}:has-text("Session started")`);
		await agent.report({ session_id, hook_event_name: 'Notification', message: 'words of tomorrow' });
		const call = { tool_name: 'Bash', tool_input: { command: 'echo after' }, tool_use_id: 't1' };
		await agent.report({ session_id, hook_event_name: 'PreToolUse', ...call });
		await page.waitForSelector(`${ROWS}:has-text("echo after")`);
		const unknown = page.locator(`${ROWS}[data-kind="unknown.hook"]`);
		expect(await unknown.textContent()).toContain('brand.new');
		expect(await page.locator('[role="status"][data-state="live"]').count()).toBe(1);
		expect(opened.complaints).toEqual([]);
	});
});

const rows = z.array(z.object({ kind: z.string(), sign: z.string(), line: z.string(), more: z.string() }));
type Rows = z.infer<typeof rows>;

/** `more`: what is below the line of the row. */
async function readRows(page: Page): Promise<Rows> {
	const read = `return [...document.querySelectorAll('${ROWS}')].map((row) => {
		const [line, ...more] = row.children;
		const [, sign, words] = line.children;
		return {
			kind: row.dataset.kind,
			sign: sign.innerText,
			line: words.innerText,
			more: more.map((part) => part.innerText).join('\\n'),
		};
	});`;
	return rows.parse(await runInPage(page, read));
}

async function openEveryRow(page: Page): Promise<void> {
	const count = await runInPage(
		page,
		`const buttons = [...document.querySelectorAll('${ROWS} button[aria-expanded="false"]')];
		for (const button of buttons) button.click();
		return buttons.length;`,
	);
	const links = `return document.querySelectorAll('${ROWS} a[href*="/e/"]').length`;
	await waitFor(async () => ((await runInPage(page, links)) === count ? true : undefined), { what: `${count} opened rows` });
}

/** A line for each row, and below it what opening it adds. */
function toText(closed: Rows, opened: Rows): string {
	const lines = closed.flatMap(({ kind, sign, line, more }, at) => [
		`${sign} ${kind}: ${indented(line)}`,
		...(more === '' ? [] : [`    ${indented(more)}`]),
		...(opened[at]?.more === more ? [] : [`    ${indented(opened[at]?.more ?? 'is gone')}`]),
	]);
	return `${lines.join('\n')}\n`;
}

function indented(text: string): string {
	return text
		.replace('Open the whole event', '')
		.trim()
		.replaceAll(/\s*\n\s*\n+/g, '\n')
		.replaceAll('\n', '\n    ');
}
