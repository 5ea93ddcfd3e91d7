import { startTestGateway } from '@roost/testkit/rigs/api/test-gateway';
import { expect, it } from 'vitest';

const FLOOD = process.env.ROOST_SOAK === '1' ? 10_000 : 2_000;

it('writes a bounded number of lines for a flood of denied requests, and counts the rest', async () => {
	await using rig = await startTestGateway();
	const refuse = async () =>
		expect((await rig.call({ path: '/api/v1/asks', headers: { origin: 'http://evil.com' } })).status).toBe(403);
	for (let sent = 0; sent < FLOOD; sent += 50) await Promise.all(Array.from({ length: 50 }, refuse));
	const during = rig.logged.length;
	await rig.gateway.close();
	expect(during).toBeLessThanOrEqual(10);
	expect(rig.logged.slice(during)).toEqual([
		{ level: 'warn', msg: 'refused a request: further lines of the last minute were left out', lines: FLOOD - during },
	]);
});
