// Hostile strings in every place that a page shows: they stay text, whole and visible, and make no element, attribute or request.
import { sanitiseBlock, sanitiseLine } from '@roost/core/display/sanitise';
import type { AskRow } from '@roost/protocol/ask';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { hostileStrings } from '../corpora/hostile-strings.ts';
import { type Chromium, runInPage, startChromium } from '../rigs/api/chromium.ts';
import type { RawResponse } from '../rigs/api/raw-http.ts';
import { cannotRun, program } from '../rigs/requirements.ts';
import { type RunnerProcess, startRunnerProcess } from '../rigs/runner/runner-rig.ts';
import { waitFor } from '../rigs/wait-for.ts';
import { asksOf, openAsking } from '../rigs/web/asking.ts';
import { type OpenedPage, openPage } from '../rigs/web/open-page.ts';

const STRINGS = hostileStrings('/tmp/never-made').filter(({ text }) => text.trim() !== '');

describe.skipIf(cannotRun([program('chromium')]))('hostile strings in a page', { timeout: 180_000 }, () => {
	let chromium: Chromium;
	let roost: RunnerProcess;
	let opened: OpenedPage;
	let pending: readonly AskRow[];
	beforeAll(async () => {
		[chromium, roost] = await Promise.all([startChromium(), startRunnerProcess()]);
		const replies: RawResponse[] = [];
		for (const { text } of STRINGS) await play(roost, text, replies);
		// Some are refused at once, such as a tool without a name.
		const arrived = async () => (await asksOf(roost)).length + replies.length;
		await waitFor(async () => ((await arrived()) === STRINGS.length * 2 ? true : undefined), {
			what: 'all requests',
			seen: arrived,
		});
		pending = await asksOf(roost);
		opened = await openPage(chromium, roost);
	}, 180_000);
	afterAll(async () => {
		await chromium[Symbol.asyncDispose]();
		await roost[Symbol.asyncDispose]();
	});

	it('are at least 300 places', () => {
		expect(pending.length * (PLACES / 2)).toBeGreaterThanOrEqual(300);
	});

	it('stay text in requests and questions, and every command is there whole', async () => {
		const { page } = opened;
		await page.locator(`[data-ask] >> nth=${pending.length - 1}`).waitFor({ state: 'attached' });
		await expectPlain(page);
		for (const ask of pending.filter(({ kind }) => kind === 'permission')) {
			const shown = await page.locator(`[data-ask="${ask.id}"] [data-part="command"]`).textContent();
			expect.soft(shown, ask.tool).toBe(sanitiseBlock(String(ask.input.command)));
		}
	});

	it.each(['/board', '/search?q=x'])('stay text on %s', async (address) => {
		await opened.go(address);
		await opened.page.waitForSelector('h1');
		await expectPlain(opened.page);
	});

	it('stay text in the feed of their session and in a request of its own', async () => {
		const asks = pending.filter(({ tool }) => sanitiseLine(tool) !== tool || tool.includes('<script>'));
		expect(asks.length).toBeGreaterThan(5);
		for (const { sessionId, id } of process.env.ROOST_SOAK ? asks : asks.slice(0, 8)) {
			await opened.go(`/s/${sessionId}?ask=${id}`);
			await opened.page.waitForSelector('[data-event]');
			await opened.page.waitForSelector('dialog [data-ask]');
			await expectPlain(opened.page);
		}
		expect(opened.complaints).toEqual([]);
	});
});

/** Tool, command, path, name of a field, title, notification, question, option, description. */
const PLACES = 9;

/** Adds the replies to those requests that do not stay pending. */
async function play(roost: RunnerProcess, text: string, replies: RawResponse[]): Promise<void> {
	const asking = await openAsking(roost, { prompt: text });
	const { agent, native: session_id } = asking;
	await agent.report({ hook_event_name: 'Notification', session_id, message: text });
	const options = [{ label: text, description: text }, { label: 'other' }];
	const questions = [{ question: text, header: 'x', multiSelect: false, options }];
	const asked = [
		asking.ask(text, { command: text, file_path: text, [text.slice(0, 200)]: text }),
		asking.ask('AskUserQuestion', { questions }),
	];
	for (const one of asked) one.then((reply) => replies.push(reply)).catch(() => undefined);
}

const found = z.object({
	hidden: z.array(z.string()),
	elements: z.array(z.string()),
	attributes: z.array(z.string()),
});

async function expectPlain(page: Page): Promise<void> {
	expect(found.parse(await runInPage(page, FIND))).toEqual({ hidden: [], elements: [], attributes: [] });
}

/** Characters that hide or reorder text, and elements and attributes that no component of the page makes. */
const FIND = `
	const hidden = [...document.body.innerText.matchAll(
		/(?![\\n\\t])[\\p{Cc}\\p{Bidi_Control}\\u200b\\u2028\\u2029\\ufeff\\u{e0001}-\\u{e007f}\\u00ad]/gu,
	)].map(([one]) => one.codePointAt(0).toString(16));
	const all = [...document.body.querySelectorAll('*')];
	const elements = all.map(({ localName }) => localName).filter((name) => /^(script|img|iframe|object|embed|link|style|base)$/.test(name));
	const attributes = all.flatMap((element) => [...element.attributes]
		.filter(({ name, value }) => name.startsWith('on') || name === 'srcdoc' || (/^(href|src|action|formaction)$/.test(name) && !/^[/#]/.test(value)))
		.map(({ name, value }) => name + '=' + value));
	return { hidden: [...new Set(hidden)], elements, attributes };`;
