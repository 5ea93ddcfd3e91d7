import { type NatsRig, natsServer, startNats } from '@roost/testkit/rigs/hub/nats';
import { cannotRun } from '@roost/testkit/rigs/requirements';
import { unwrap, unwrapError } from '@roost/testkit/rigs/unwrap';
import { waitFor } from '@roost/testkit/rigs/wait-for';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { describeBus } from './bus.contract.ts';
import type { Bus } from './bus.ts';
import { openNatsBus } from './nats-bus.ts';

describe.skipIf(cannotRun([natsServer()]))('with NATS', () => {
	let server: NatsRig;
	let worlds = 0;
	beforeAll(async () => {
		server = await startNats();
	});
	afterAll(() => server[Symbol.asyncDispose]());

	async function createWorld() {
		await using stack = new AsyncDisposableStack();
		const prefix = `test${++worlds}`;
		const warnings: string[] = [];
		const owned = stack.move();
		const open = () => owned.use(unwrap(openNatsBus({ url: server.url, prefix, warn: (text) => warnings.push(text) })));
		return {
			warnings,
			open,
			async join() {
				const bus = open();
				await connected(bus);
				return bus;
			},
			[Symbol.asyncDispose]: () => owned.disposeAsync(),
		};
	}

	describeBus('the bus over NATS', createWorld);

	it('fails open requests when the server is killed, drops messages, and continues when it is back', async () => {
		await using world = await createWorld();
		const [one, two] = [await world.join(), await world.join()];
		const seen: string[] = [];
		two.subscribe('s', (text) => seen.push(text));
		two.serve('silent', () => new Promise(() => undefined));
		two.serve('ready', async () => 'yes');
		await waitFor(async () => (await one.request('ready', '', 60_000)).ok || undefined, { what: 'the service' });
		const open = one.request('silent', '', 60_000);
		await server.kill();
		expect(unwrapError(await open).code).toBe('store_unavailable');
		await waitFor(() => !one.isConnected() || undefined, { what: 'the loss' });
		one.publish('s', 'dropped');
		expect(unwrapError(await one.request('silent', '', 60_000)).code).toBe('store_unavailable');
		two.serve('late', async () => 'reply');
		await server.start();
		await Promise.all([one, two].map(connected));
		await waitFor(async () => (await one.request('late', '', 60_000)).ok || undefined, { what: 'the new service' });
		one.publish('s', 'again');
		await waitFor(() => seen.length > 0 || undefined, { what: 'a message' });
		expect(seen).toEqual(['again']);
		expect(world.warnings).toEqual([
			expect.stringMatching(/was lost\. The nodes/),
			expect.stringMatching(/was lost\. The nodes/),
		]);
	});

	it('connects when the server starts later than the node', async () => {
		await using world = await createWorld();
		await server.kill();
		const [one, two] = [world.open(), world.open()];
		two.serve('s', async () => 'reply');
		await waitFor(() => world.warnings.length === 2 || undefined, { what: 'the warnings' });
		expect(world.warnings[0]).toMatch(/^The NATS server at 127\.0\.0\.1:\d+ cannot be used \(.*\)\. The nodes/);
		await server.start();
		await Promise.all([one, two].map(connected));
		expect(unwrap(await one.request('s', '', 60_000))).toBe('reply');
	});

	it('rejects an address that is not one, without its password', () => {
		for (const url of ['', 'localhost:4222', 'http://localhost', 'nats://u:secret@:1']) {
			const error = unwrapError(openNatsBus({ url, prefix: 'x', warn: () => undefined }));
			expect(error.code).toBe('usage');
			expect(error.message).not.toContain('secret');
		}
	});
});

async function connected(bus: Bus): Promise<void> {
	await waitFor(() => bus.isConnected() || undefined, { what: 'the connection' });
}
