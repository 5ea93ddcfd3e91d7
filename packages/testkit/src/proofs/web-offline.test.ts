// The page as an installed app: it opens without its server, keeps nothing of the API, and moves to a new build with one reload.
import { cp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { PAGE_FOLDER, PROGRAM_FOLDER } from '@roost/core/process/program-files';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Chromium, runInPage, startChromium } from '../rigs/api/chromium.ts';
import { startTestGateway } from '../rigs/api/test-gateway.ts';
import { cannotRun, program } from '../rigs/requirements.ts';
import { createTempDir } from '../rigs/temp-dir.ts';

const LIVE = '[role="status"][data-state="live"]';
const ALLOW = '[data-ask="s1.1"] button:text("Allow once")';

describe.skipIf(cannotRun([program('chromium')]))('installed page', { timeout: 120_000 }, () => {
	let chromium: Chromium;
	beforeAll(async () => {
		chromium = await startChromium({ windows: true });
	});
	afterAll(() => chromium[Symbol.asyncDispose]());

	it('opens without its server, says since when, answers nothing, and has no reply of the API in any cache', async () => {
		await using rig = await startTestGateway();
		rig.world.openAsk('s1.1');
		const { page, complaints } = await open(chromium, rig.gateway.link().url);
		await page.waitForSelector(`${ALLOW}[aria-disabled="false"]`);
		await runInPage(page, CONTROLLED);
		await page.reload();
		await page.waitForSelector(LIVE);
		const kept = await runInPage(page, CACHED);
		expect(kept).toEqual(expect.arrayContaining(['/', '/icon.svg', '/manifest.webmanifest']));
		expect(String(kept)).not.toMatch(/\/api|healthz|metrics|ticket|sw\.js/);
		expect(complaints).toEqual([]);

		await rig.stop();
		await page.reload();
		await page.waitForSelector('[data-state="offline"]:has-text("The runner was last reached")');
		expect(await page.locator('[data-ask]').count()).toBe(0);
		await page.goto(`${rig.url}/board`);
		await page.waitForSelector('[data-state="offline"]');
		await rig.start();
		await page.waitForSelector(LIVE);
		expect(await page.locator('[data-state="offline"]').count()).toBe(0);
	});

	it('shows the last facts without answers while it is offline', async () => {
		await using rig = await startTestGateway();
		rig.world.openAsk('s1.1');
		const { page, context } = await open(chromium, rig.gateway.link().url);
		await page.waitForSelector(`${ALLOW}[aria-disabled="false"]`);
		await Promise.all([rig.stop(), context.setOffline(true)]);
		await page.waitForSelector('html[data-offline] [data-state="offline"]:has-text("answers are off")');
		await page.waitForSelector(`${ALLOW}[aria-disabled="true"]`);
		await context.setOffline(false);
		await rig.start();
		await page.waitForSelector(`${ALLOW}[aria-disabled="false"]`);
		expect(await page.locator('html[data-offline]').count()).toBe(0);
	});

	it('moves to a new build with one reload, and drops the files of the old one', async () => {
		await using folder = await createTempDir();
		const pageFolder = join(folder.path, 'page');
		await copyBuild(pageFolder);
		await using rig = await startTestGateway({ pageFolder });
		const { page, complaints } = await open(chromium, rig.gateway.link().url);
		await page.waitForSelector(LIVE);
		await runInPage(page, CONTROLLED);
		await page.reload();
		await page.waitForSelector(LIVE);
		const loads = countLoads(page);
		await rig.stop();
		await changeBuild(pageFolder);
		await rig.start();
		await page.waitForSelector('html[data-build="new"]');
		await page.waitForSelector(LIVE);
		expect(await runInPage(page, 'return await caches.keys()')).toEqual(['roost-new']);
		// Another connection finds nothing new.
		await rig.stop();
		await page.waitForSelector('[role="status"][data-state="reconnecting"]');
		await rig.start();
		await page.waitForSelector(LIVE);
		await runInPage(page, 'await (await navigator.serviceWorker.ready).update()');
		expect(loads()).toBe(1);
		// A server that is gone, and the bearer of the one before.
		expect(complaints.filter((line) => !/ERR_CONNECTION_RE(?:FUSED|SET)|401/.test(line))).toEqual([]);
	});

	it('reloads once for a runner of another version, then says so', async () => {
		await using rig = await startTestGateway({}, (backend) => ({ ...backend, runner: { ...backend.runner, version: '9.9.9' } }));
		const { page } = await open(chromium, rig.gateway.link().url);
		const loads = countLoads(page);
		await page.waitForSelector('[role="alert"]:has-text("the runner of 9.9.9")');
		expect(loads()).toBeLessThanOrEqual(1);
		await page.waitForSelector(LIVE);
	});
});

async function open(chromium: Chromium, url: string) {
	const profile = await chromium.profile();
	return { ...profile, page: await profile.open(url) };
}

function countLoads(page: Page): () => number {
	let count = 0;
	page.on('load', () => count++);
	return () => count;
}

/** Waits until the worker answers requests of this page. */
const CONTROLLED = `
	await navigator.serviceWorker.ready;
	if (!navigator.serviceWorker.controller)
		await new Promise((resolve) => navigator.serviceWorker.addEventListener('controllerchange', resolve));
`;

const CACHED = `
	const paths = [];
	for (const name of await caches.keys())
		for (const { url } of await (await caches.open(name)).keys()) paths.push(new URL(url).pathname);
	return paths;
`;

/** Without compressed copies, so that a change of a file is a change of what is served. */
async function copyBuild(to: string): Promise<void> {
	await cp(join(PROGRAM_FOLDER, PAGE_FOLDER), to, { recursive: true });
	for (const name of await readdir(to, { recursive: true })) if (/\.(?:br|gz)$/.test(name)) await rm(join(to, name));
}

/** Another build: its shell has another content, and its worker another name for it. */
async function changeBuild(folder: string): Promise<void> {
	const change = async (name: string, from: RegExp, to: string) => {
		const text = await readFile(join(folder, name), 'utf8');
		expect(text).toMatch(from);
		await writeFile(join(folder, name), text.replace(from, to));
	};
	await change('index.html', /<html lang="en">/, '<html lang="en" data-build="new">');
	await change('sw.js', /build:`[\w-]{16}`/, 'build:`new`');
}
