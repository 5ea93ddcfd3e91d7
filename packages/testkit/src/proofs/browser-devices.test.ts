// A browser and a real runner: the link works once, the key works again after a crash, and revoking ends access.
import { ticketIssued } from '@roost/protocol/api/devices';
import { describe, expect, it } from 'vitest';
import { startChromium } from '../rigs/api/chromium.ts';
import { sendRaw } from '../rigs/api/raw-http.ts';
import { cannotRun, program } from '../rigs/requirements.ts';
import { startRunnerProcess } from '../rigs/runner/runner-rig.ts';

const LIVE = '[role="status"][data-state="live"]';

describe.skipIf(cannotRun([program('chromium')]))('browser of a runner', () => {
	it('reconnects after a crash of the runner without a new link, until its device is revoked', {
		timeout: 180_000,
	}, async () => {
		await using runner = await startRunnerProcess();
		const { url: baseUrl, token } = runner;
		const call = async (method: string, path: string) =>
			await sendRaw({ port: Number(new URL(baseUrl).port), method, path, headers: { authorization: `Bearer ${token}` } });
		const { path } = ticketIssued.parse(JSON.parse((await call('POST', '/api/v1/tickets')).body));
		await using chromium = await startChromium();
		const profile = await chromium.profile();
		const page = await profile.open(`${baseUrl}${path}`);
		await page.waitForSelector(LIVE);
		const before = JSON.parse((await call('GET', '/api/v1/devices')).body);

		await runner.kill();
		await page.waitForSelector('[role="status"][data-state="reconnecting"]');
		await runner.restart();
		expect(runner.url).toBe(baseUrl);
		await page.waitForSelector(LIVE);
		const [device] = JSON.parse((await call('GET', '/api/v1/devices')).body);
		expect(device).toMatchObject({ id: before[0].id, name: 'Chrome on Linux', origin: baseUrl });

		expect((await call('DELETE', `/api/v1/devices/${device.id}`)).status).toBe(200);
		await page.waitForSelector('[data-state="logged-out"]:has-text("You are not logged in")');
		await runner.kill();
		await runner.restart();
		await page.reload();
		await page.waitForSelector('[data-state="logged-out"]:has-text("You are not logged in")');
	});
});
