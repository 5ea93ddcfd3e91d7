import { createServer } from 'node:net';
import { createTestBackend } from '@roost/testkit/rigs/api/test-backend';
import { startTestGateway, TEST_TOKEN } from '@roost/testkit/rigs/api/test-gateway';
import { unwrapError } from '@roost/testkit/rigs/unwrap';
import { waitFor } from '@roost/testkit/rigs/wait-for';
import { describe, expect, it } from 'vitest';
import { startGateway } from './gateway.ts';

async function refusalOf(over: { host?: string; token?: string; port?: number }) {
	await using world = createTestBackend();
	const started = await startGateway({
		backend: world.backend,
		host: '127.0.0.1',
		port: 0,
		token: TEST_TOKEN,
		now: Date.now,
		newId: () => 'id',
		...over,
	});
	if (started.ok) await started.value.close();
	expect(world.listeners()).toBe(0);
	return unwrapError(started);
}

describe('gateway start', () => {
	it('rejects every address that is not loopback', async () => {
		for (const host of ['0.0.0.0', '::', '', '192.168.1.1', 'example.com', '127.0.0.1.evil.com', '::ffff:127.0.0.1']) {
			expect.soft((await refusalOf({ host })).code, host).toBe('cannot_start');
		}
	});

	it('rejects a missing or short token', async () => {
		for (const token of ['', 'x'.repeat(31)]) expect.soft((await refusalOf({ token })).code).toBe('cannot_start');
	});

	it('reports a port in use', async () => {
		await using taken = createServer();
		await new Promise<void>((resolve) => taken.listen(0, '127.0.0.1', resolve));
		const address = taken.address();
		const port = typeof address === 'object' ? (address?.port ?? 0) : 0;
		const refusal = await refusalOf({ port });
		expect(refusal.code).toBe('cannot_start');
		expect(refusal.message).toContain(String(port));
	});

	it('serves on localhost', async () => {
		await using rig = await startTestGateway({ host: 'localhost' });
		expect(rig.gateway.url).toBe(`http://localhost:${rig.gateway.port}`);
		expect((await rig.call({ path: '/healthz', headers: {} })).body).toBe('{"ok":true}');
	});
});

describe('gateway close', () => {
	it('disconnects its clients, stops listening, and can be called twice', async () => {
		await using rig = await startTestGateway();
		await using client = await rig.open();
		await client.frame('hello');
		expect(rig.gateway.clients()).toBe(1);
		await Promise.all([rig.gateway.close(), rig.gateway.close()]);
		expect(await waitFor(() => client.closed(), { what: 'the client to be closed' })).toBe(1001);
		expect(rig.world.listeners()).toBe(0);
		await expect(rig.call({ path: '/healthz' })).rejects.toThrow();
	});

	it('does not wait for a client that does not read', async () => {
		await using rig = await startTestGateway();
		await using client = await rig.open();
		await client.frame('hello');
		client.pause();
		await rig.gateway.close();
		expect(rig.gateway.clients()).toBe(0);
	});
});
