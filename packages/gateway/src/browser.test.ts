// Who can act as a browser that is logged in: real Chromium, the real gateway, and a thief on another port of the machine.
import { startChromium } from '@roost/testkit/rigs/chromium';
import { cannotRun, program } from '@roost/testkit/rigs/requirements';
import { BEARER, startTestGateway } from '@roost/testkit/rigs/test-gateway';
import { startThiefServer } from '@roost/testkit/rigs/thief-server';
import { describe, expect, it } from 'vitest';

describe.skipIf(cannotRun([program('chromium')]))('a browser that is logged in', () => {
	it('sends nothing of Roost to another port of the machine', async () => {
		await using rig = await startTestGateway();
		await using thief = await startThiefServer('<!doctype html><title>thief</title>');
		await using chromium = await startChromium();
		const { open } = await chromium.profile();
		const page = await open(rig.gateway.link().url);
		await page.waitForSelector('#shown:not([hidden])');
		await page.goto(thief.url);
		const [{ headers } = { headers: {} }] = thief.received;
		expect(headers).not.toHaveProperty('cookie');
		const forged = { ...headers, host: `127.0.0.1:${rig.gateway.port}`, origin: rig.gateway.url };
		const opened = await rig.post('/api/v1/terminals', { commandId: 'c', projectId: '/tmp' }, { ...forged, authorization: '' });
		expect(opened.status).toBe(401);
		void BEARER;
	});
});
