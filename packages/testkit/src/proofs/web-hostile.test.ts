// Hostile strings in every place that a page shows: they stay text, whole and visible, and make no element, attribute or request.
import { join } from 'node:path';
import { sanitiseBlock, sanitiseLine } from '@roost/core/display/sanitise';
import { hasRow } from '@roost/core/views/feed-row';
import type { AskRow } from '@roost/protocol/ask';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { hostileStrings } from '../corpora/hostile-strings.ts';
import { type Chromium, runInPage, startChromium } from '../rigs/api/chromium.ts';
import type { RawResponse } from '../rigs/api/raw-http.ts';
import { type EventContent, sampleAppend, sampleEvent, sampleSession, writeRecord } from '../rigs/record/sample-append.ts';
import { cannotRun, program } from '../rigs/requirements.ts';
import { type RunnerProcess, startRunnerProcess } from '../rigs/runner/runner-rig.ts';
import { createTempDir } from '../rigs/temp-dir.ts';
import { waitFor } from '../rigs/wait-for.ts';
import { asksOf, openAsking } from '../rigs/web/asking.ts';
import { type OpenedPage, openPage } from '../rigs/web/open-page.ts';

const STRINGS = hostileStrings('/tmp/never-made').filter(({ text }) => text.trim() !== '');

describe.skipIf(cannotRun([program('chromium')]))('hostile strings in a page', { timeout: 180_000 }, () => {
	let chromium: Chromium;
	let roost: RunnerProcess;
	let opened: OpenedPage;
	let pending: readonly AskRow[];
	const stack = new AsyncDisposableStack();
	beforeAll(async () => {
		const { path } = stack.use(await createTempDir());
		await writeRecord(join(path, 'roost.db'), [hostileSession()]);
		chromium = stack.use(await startChromium());
		roost = stack.use(await startRunnerProcess({ home: path }));
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
	afterAll(() => stack.disposeAsync());

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

	it('stay text as Markdown, prompts, reviews and tasks, with links to http(s) only', async () => {
		await using tall = await openPage(chromium, roost, { viewport: { width: 1280, height: 4_000 } });
		const { page } = tall;
		await tall.go('/s/written');
		await page.waitForSelector('article[data-event]');
		await page.waitForSelector('[data-todo]');
		expect(await page.locator('[data-todo] > span:last-child').allTextContents()).toEqual(WRITTEN.map(sanitiseLine));
		const seen = new Set<string>();
		// Older pages are read on the way.
		while (!seen.has('written:R1:E1')) {
			await expectPlain(page);
			for (const event of texts.parse(await runInPage(page, SHOWN))) seen.add(event);
			await runInPage(page, SCROLL_UP);
		}
		const withRows = hostileSession().events.filter(hasRow);
		expect(seen.size).toBe(withRows.length);
		expect(tall.complaints).toEqual([]);
	});
});

/** Addresses that must not become links, and one that must. */
const ADDRESSES = [
	'javascript:alert(1)',
	'JaVaScRiPt:alert(1)//https://x.example',
	'\tjava\nscript:alert(1)',
	'data:text/html,<script>alert(1)</script>',
	'vbscript:x',
	'blob:http://x.example/1',
	'file:///etc/passwd',
	'//x.example/path',
	'https:x.example',
	'https://x.example/"onmouseover="alert(1)',
	'https://user:secret@x.example/\u202egpj',
];
/** Without those that are only long. */
const WRITTEN = [...STRINGS.map(({ text }) => text).filter(({ length }) => length < 10_000), ...ADDRESSES];

/** One event of each form for each string, as it is on record. */
function hostileSession() {
	const contents = WRITTEN.flatMap((text, at): EventContent[] => {
		const comment = { path: text, side: 'new', line: 1, quote: text, text } as const;
		return [
			{ kind: 'agent.message', data: { text } },
			{ kind: 'agent.message', data: { text: markdownOf(text) } },
			{ kind: 'user.prompt', data: { prompt: text, cwd: '/project' } },
			{
				kind: 'user.prompt',
				data: { prompt: text, cwd: '/project', review: { since: text, summary: text, comments: [comment] } },
			},
			{ kind: 'todo.add', data: { todo_id: `t${at}`, text } },
		];
	});
	const events = contents.map((content, at) => sampleEvent('written', at + 1, content));
	const session = sampleSession('written', { title: 'written', status: 'ended', events: events.length });
	return sampleAppend('written', events, { session });
}

/** The text in every form of Markdown. */
function markdownOf(text: string): string {
	const inline = `[${text}](${text}) [x](<${text}>) ![${text}](${text}) <${text}> \`${text}\` **${text}** ~~${text}~~`;
	const blocks = [`# ${text}`, `- ${text}`, `> ${text}`, `| ${text} |\n|---|\n| ${text} |`, `\`\`\`${text}\n${text}\n\`\`\``];
	return [inline, ...blocks, `[x]: ${text}`, `<a href="${text}" onclick="${text}">${text}</a>`].join('\n\n');
}

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

const texts = z.array(z.string());
const SHOWN = `return [...document.querySelectorAll('article[data-event]')].map((row) => row.dataset.event)`;
/** Resolves after the next frame was painted. */
const SCROLL_UP = `
	document.querySelector('[role="feed"]').scrollBy(0, -600);
	await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)));`;

/** Characters that hide or reorder text, and elements and attributes that no component of the page makes. */
const FIND = `
	const hidden = [...document.body.innerText.matchAll(
		/(?![\\n\\t])[\\p{Cc}\\p{Bidi_Control}\\u200b\\u2028\\u2029\\ufeff\\u{e0001}-\\u{e007f}\\u00ad]/gu,
	)].map(([one]) => one.codePointAt(0).toString(16));
	const all = [...document.body.querySelectorAll('*')];
	const elements = all.map(({ localName }) => localName).filter((name) => /^(script|img|iframe|object|embed|link|style|base)$/.test(name));
	const isOutside = ({ localName, rel, target }) => localName === 'a' && rel.includes('noopener') && target === '_blank';
	const attributes = all.flatMap((element) => [...element.attributes]
		.filter(({ name, value }) => name.startsWith('on') || name === 'srcdoc' || (/^(href|src|action|formaction)$/.test(name) && !/^[/#]/.test(value) && !(isOutside(element) && /^https?:[/][/]/.test(value))))
		.map(({ name, value }) => name + '=' + value));
	return { hidden: [...new Set(hidden)], elements, attributes };`;
