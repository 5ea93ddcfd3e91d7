// A phone reaches the runner through an https proxy of the user: it logs in, follows the stream and answers.
import { describe, expect, it } from 'vitest';
import { runInPage, startChromium } from '../rigs/api/chromium.ts';
import { cannotRun, program } from '../rigs/requirements.ts';
import { askToUse, startRunnerProcess } from '../rigs/runner/runner-rig.ts';
import { startHttpsProxy } from '../rigs/web/https-proxy.ts';
import { PHONE } from '../rigs/web/open-page.ts';

const LIVE = '[role="status"][data-state="live"]';

describe.skipIf(cannotRun([program('chromium'), program('openssl')]))('https proxy', { timeout: 120_000 }, () => {
	it('lets a phone log in with the printed link, stream and answer; its device works at no other address', async () => {
		await using proxy = await startHttpsProxy();
		const { origin } = proxy;
		await using roost = await startRunnerProcess({ config: { runner: { port: 0 }, web: { origins: [origin] } } });
		proxy.forwardTo(roost.port);
		const { stdout } = await roost.roost('status', '--link');
		const link = stdout.split('\n').find((line) => line.includes(origin)) ?? '';
		await using chromium = await startChromium({ trusts: proxy.keyHash });
		const { context, complaints, open } = await chromium.profile(PHONE);
		const page = await open(link.trim());
		await page.waitForSelector(LIVE);
		expect(page.url()).toBe(`${origin}/`);

		const agent = await roost.openLaunch();
		const decided = askToUse(agent, 'Bash', { command: 'npm test' });
		await page.locator('button:text("Allow once"):not([disabled])').tap();
		expect(await decided).toMatchObject({ behavior: 'allow' });

		// The key is stored for this origin, and the device is registered with it.
		await page.reload();
		await page.waitForSelector(LIVE);
		expect(JSON.parse((await roost.call('GET', '/api/v1/devices')).body)).toMatchObject([{ origin }]);
		const local = await open(roost.url);
		await local.waitForSelector('[data-state="logged-out"]');
		expect(await runInPage(page, 'return (await navigator.serviceWorker.ready).scope')).toBe(`${origin}/`);
		expect(complaints).toEqual([]);
		await context.close();
	});
});
