// What an agent changed, reviewed in a real browser: a real git working tree, a runner, and a scripted agent that gets the review.
import { rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { mockAgent } from '@roost/agents/mock/driven/open-mock-agent';
import type { BrowserContextOptions, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Chromium, startChromium } from '../rigs/api/chromium.ts';
import { cannotRun, program } from '../rigs/requirements.ts';
import { startRunner } from '../rigs/runner/runner-rig.ts';
import { createGitRepository } from '../rigs/shell/git-repository.ts';
import { openTui } from '../rigs/tui/tui-rig.ts';
import { unwrap } from '../rigs/unwrap.ts';
import { waitFor } from '../rigs/wait-for.ts';
import { findViolations } from '../rigs/web/check-page.ts';
import { DESK, openPage, PHONE } from '../rigs/web/open-page.ts';

const LONG = Array.from({ length: 5_000 }, (_, at) => `export const value${at + 1} = ${at + 1};`);

describe.skipIf(cannotRun([program('chromium')]))('changes in a browser', { timeout: 120_000 }, () => {
	let chromium: Chromium;
	beforeAll(async () => {
		chromium = await startChromium();
	});
	afterAll(() => chromium[Symbol.asyncDispose]());

	it('are commented on three lines of two files, and sent as one prompt that both faces show as a card', async () => {
		await using world = await openWorld(chromium);
		const { page } = world;
		await comment(page, 'health.ts', 'line 2', 'Answer 503.');
		await comment(page, 'health.ts', 'removed line 2', 'Keep the old name.');
		await comment(page, 'new file.md', 'line 1', 'Add a title.');
		await page.getByLabel('Summary of the review').fill('Nearly done.');
		await page.getByText('3 comments').waitFor();
		await page.getByRole('button', { name: 'Send review' }).click();
		await page.getByText('Review sent.').waitFor();
		const prompt = await world.story.until('user.prompt');
		expect(await world.story.of('user.prompt')).toHaveLength(1);
		expect(prompt.data.review?.comments).toEqual([
			{ path: 'health.ts', side: 'new', line: 2, quote: '  return unavailable();', text: 'Answer 503.' },
			{ path: 'health.ts', side: 'old', line: 2, quote: '  return ok();', text: 'Keep the old name.' },
			{ path: 'new file.md', side: 'new', line: 1, quote: 'New', text: 'Add a title.' },
		]);
		expect(prompt.data.prompt).toContain('1. health.ts:2\n\n```\n  return unavailable();\n```\n\nAnswer 503.');
		await page.getByText('0 comments').waitFor();

		await world.go(`/s/${world.story.id}/e/${await world.offsetOf('user.prompt')}`);
		const card = page.locator('[data-review="3"]');
		await card.getByText('Review of changes since the session started: 3 comments on 2 files').waitFor();
		expect(await card.getByRole('listitem').allInnerTexts()).toEqual([
			expect.stringMatching(/^health\.ts:2\s+return unavailable\(\);\s+Answer 503\.$/),
			expect.stringMatching(/^health\.ts:2 \(removed\)\s+return ok\(\);\s+Keep the old name\.$/),
			expect.stringMatching(/^new file\.md:1\s+New\s+Add a title\.$/),
		]);
		await using tui = openTui({ cwd: world.roost.folder, env: world.roost.env, columns: 100, rows: 40 });
		// In the text of the prompt the places are numbered, in the card they are not.
		await tui.waitForScreen(/[^.] health\.ts:2 \(removed\)\s*\n.*│\s+return ok\(\);\s*\n.*Keep the old name\./);
		expect(world.complaints).toEqual([]);
	});

	it('keep comments over a reload, and mark one whose line changed instead of sending it', async () => {
		await using world = await openWorld(chromium);
		const { page } = world;
		await comment(page, 'health.ts', 'line 2', 'Answer 503.');
		await page.getByRole('button', { name: 'Comment on line 3', exact: true }).click();
		await page.getByPlaceholder('Comment on this line').fill('Half a sen');
		await page.reload();
		expect(await page.getByPlaceholder('Comment on this line').inputValue()).toBe('Half a sen');
		await page.getByText('2 comments', { exact: true }).waitFor();

		await writeFile(join(world.roost.folder, 'health.ts'), 'export function health() {\n  return other();\n}\n');
		await page.getByRole('button', { name: 'Send review' }).click();
		const refusal = 'This line has changed since you commented, so nothing was sent: health.ts:2.';
		await page.getByRole('alert').getByText(refusal).waitFor();
		expect(await world.story.of('user.prompt')).toEqual([]);
		await page.getByRole('button', { name: 'Show the new version' }).click();
		await page.getByText('The line changed.').waitFor();
		await page.getByRole('button', { name: 'Delete the comment on health.ts:2' }).click();
		await page.getByRole('button', { name: 'Send review' }).click();
		await page.getByText('Review sent.').waitFor();
		expect((await world.story.until('user.prompt')).data.review?.comments).toMatchObject([{ line: 3, text: 'Half a sen' }]);
		// The refusal is a failed request.
		expect(world.complaints.filter((complaint) => !complaint.includes('409'))).toEqual([]);
	});

	it('show a long file with few rows at a time, highlighted, down to its last line', async () => {
		await using world = await openWorld(chromium);
		const { page } = world;
		await page.locator('[data-file="long.ts"]').click();
		await page.locator('code span[class]').first().waitFor();
		const pieces = page.locator('[data-piece]');
		expect(await pieces.count()).toBe(51);
		for (const piece of await pieces.all()) {
			await piece.scrollIntoViewIfNeeded();
			await piece.locator('[data-line]').first().waitFor();
		}
		await page.getByText('value5000 = 5000').waitFor();
		expect(await page.locator('[data-line]').count()).toBeLessThan(600);
		expect(world.complaints).toEqual([]);
	});

	it('are reviewed with the keyboard alone', async () => {
		await using world = await openWorld(chromium);
		const { page } = world;
		await page.locator('[data-file="health.ts"]').press('Enter');
		await page.getByRole('button', { name: 'Comment on line 1', exact: true }).waitFor();
		await page.locator('[data-line]').first().focus();
		await page.keyboard.press('c');
		await page.waitForSelector('textarea:focus');
		await page.keyboard.press('Escape');
		await page.waitForSelector('textarea:focus', { state: 'detached' });
		await page.locator('[data-line]').first().focus();
		for (const key of ['j', 'j', 'Shift+C']) await page.keyboard.press(key);
		// Keys that come before the field has the focus are commands.
		await page.waitForSelector('textarea:focus');
		await page.keyboard.type('Both lines.');
		await page.keyboard.press('Control+Enter');
		await page.getByText('1 comment', { exact: true }).waitFor();
		await page.getByRole('button', { name: 'Send review' }).press('Enter');
		expect((await world.story.until('user.prompt')).data.review?.comments).toMatchObject([{ line: 1, end_line: 2 }]);
	});

	it('are read one file at a time on a phone, without sideways scrolling', async () => {
		await using world = await openWorld(chromium, PHONE);
		const { page } = world;
		await page.locator('[data-file="health.ts"]').tap();
		await page.getByRole('button', { name: 'Comment on line 2', exact: true }).tap();
		await page.getByPlaceholder('Comment on this line').fill('Answer 503.');
		await page.getByRole('button', { name: 'Save' }).tap();
		expect(await page.locator('[data-file]').first().isVisible()).toBe(false);
		await page.getByRole('button', { name: 'Files' }).tap();
		await page.getByRole('button', { name: 'Send review' }).tap();
		await page.getByText('Review sent.').waitFor();
		expect(world.complaints).toEqual([]);
	});

	it('are commented on with a tap anywhere on a line, which moves an empty comment and keeps the keyboard closed', async () => {
		await using world = await openWorld(chromium, PHONE);
		const { page } = world;
		await page.locator('[data-file="health.ts"]').tap();
		const codeOf = (line: string) =>
			page.locator('[data-type]', { has: page.getByLabel(`Comment on ${line}`, { exact: true }) }).locator('code');
		await codeOf('line 1').tap();
		const field = page.getByPlaceholder('Comment on this line');
		await page.getByLabel('Comment on health.ts:1').waitFor();
		expect(await page.locator('textarea:focus').count()).toBe(0);
		await codeOf('line 2').tap();
		await page.getByLabel('Comment on health.ts:2').waitFor();
		expect(await field.count()).toBe(1);
		await field.tap();
		expect((await field.boundingBox())?.height).toBeGreaterThanOrEqual(44);
		await page.keyboard.type('Answer 503.');
		await codeOf('line 3').tap();
		expect(await field.count()).toBe(2);
		for (const line of await page.locator('[data-type]').all()) {
			const box = await line.boundingBox();
			expect(box?.height).toBeGreaterThanOrEqual(28);
			expect(box?.width).toBe(PHONE.viewport.width);
		}
		await page.getByRole('button', { name: 'Files' }).tap();
		await page.locator('[data-file="long.ts"]').tap();
		await page.locator('[data-line="40"]').waitFor();
		const tabs = await page.locator('nav[aria-label="Tabs"]').boundingBox();
		await page.touchscreen.tap(200, (tabs?.y ?? 0) - 10);
		const save = page.getByRole('button', { name: 'Save' });
		await save.waitFor();
		const box = await save.boundingBox();
		expect((box?.y ?? 0) + (box?.height ?? 0)).toBeLessThanOrEqual(tabs?.y ?? 0);
		expect(world.complaints).toEqual([]);
	});

	it.each([
		['desk', DESK],
		['phone', PHONE],
	] as const)('have no violation on a %s in light and dark mode, with comments and without changes', async (_, size) => {
		await using world = await openWorld(chromium, size);
		const { page, story } = world;
		expect.soft(await findViolations(page)).toEqual([]);
		await comment(page, 'health.ts', 'line 2', 'Answer 503.');
		await page.getByRole('button', { name: 'Comment on removed line 2', exact: true }).click();
		await page.locator('code span[class]').first().waitFor();
		expect.soft(await findViolations(page)).toEqual([]);
		await writeFile(join(world.roost.folder, 'health.ts'), 'export function health() {\n  return other();\n}\n');
		await world.go(`/s/${story.id}/changes?file=health.ts`);
		await page.getByText('The line changed.').first().waitFor();
		expect.soft(await findViolations(page)).toEqual([]);
		await world.go(`/s/${story.id}/changes?since=run:R9`);
		await page.getByText('were not noted').waitFor();
		expect(await findViolations(page)).toEqual([]);
	});

	it('say when there are none, and what is not known', async () => {
		await using world = await openWorld(chromium);
		const { page, roost, story } = world;
		await page.getByLabel('Changes since').selectOption('head');
		await page.locator('[data-file="health.ts"]').waitFor();
		for (const name of ['new file.md', 'long.ts', 'moved.txt']) await rm(join(roost.folder, name));
		await writeFile(join(roost.folder, 'health.ts'), BEFORE['health.ts']);
		await writeFile(join(roost.folder, 'old.txt'), BEFORE['old.txt']);
		await world.go(`/s/${story.id}/changes`);
		await page.getByText('No changes since the session started.').waitFor();
		await world.go(`/s/${story.id}/changes?since=run:R9`);
		await page.getByText('The files from when run 9 started were not noted.').waitFor();
	});

	it('are updated when the agent has used a tool', async () => {
		await using world = await openWorld(chromium);
		await writeFile(join(world.roost.folder, 'later.txt'), 'later\n');
		await world.story.say('read it');
		await world.page.locator('[data-file="later.txt"]').waitFor();
	});
});

const BEFORE = {
	'health.ts': 'export function health() {\n  return ok();\n}\n',
	'old.txt': 'one\ntwo\nthree\nfour\n',
};

async function openWorld(chromium: Chromium, size: BrowserContextOptions = DESK) {
	await using stack = new AsyncDisposableStack();
	const read = { type: 'call', tool: 'Read', input: { file_path: 'health.ts' }, response: {} } as const;
	const roost = stack.use(await startRunner({ drives: mockAgent({ turns: () => [read, { type: 'say', text: 'Done.' }] }) }));
	const put = async (files: Readonly<Record<string, string>>) => {
		for (const [name, text] of Object.entries(files)) await writeFile(join(roost.folder, name), text);
	};
	await put(BEFORE);
	await createGitRepository(roost.folder, roost.env);
	const story = await roost.start();
	await waitFor(async () => unwrap(await roost.api.changes.list({ id: story.id })).isKnown, { what: 'the files at the start' });
	await put({ 'health.ts': 'export function health() {\n  return unavailable();\n}\n', 'new file.md': 'New\n' });
	await put({ 'long.ts': `${LONG.join('\n')}\n` });
	await rename(join(roost.folder, 'old.txt'), join(roost.folder, 'moved.txt'));
	const opened = stack.use(await openPage(chromium, roost, size));
	await opened.go(`/s/${story.id}/changes`);
	await opened.page.locator('[data-file="moved.txt"]').waitFor();
	const owned = stack.move();
	return {
		...opened,
		roost,
		story,
		offsetOf: async (kind: string) =>
			unwrap(await roost.api.feed.events({ id: story.id, limit: 1_000 })).find(({ event }) => event.kind === kind)?.offset,
		[Symbol.asyncDispose]: () => owned.disposeAsync(),
	};
}

async function comment(page: Page, file: string, line: string, text: string): Promise<void> {
	await page.locator(`[data-file="${file}"]`).click();
	await page.getByRole('button', { name: `Comment on ${line}`, exact: true }).click();
	await page.getByPlaceholder('Comment on this line').fill(text);
	await page.getByRole('button', { name: 'Save' }).click();
}
