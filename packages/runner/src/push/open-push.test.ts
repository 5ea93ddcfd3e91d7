// Notifications of devices over a real record and a push service on this machine.
import { lstatSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { eventTitle } from '@roost/core/feed/title';
import { askId, type DeviceId, runnerId, runnerStream } from '@roost/protocol/ids';
import { storedLine } from '@roost/protocol/stored-line';
import { createMemoryStore } from '@roost/store/memory-store';
import { createReceiver, startPushService } from '@roost/testkit/fakes/push-service';
import { createTestKey } from '@roost/testkit/rigs/api/test-device';
import { createTempDir } from '@roost/testkit/rigs/temp-dir';
import { unwrap, unwrapError } from '@roost/testkit/rigs/unwrap';
import { waitFor } from '@roost/testkit/rigs/wait-for';
import { describe, expect, it } from 'vitest';
import { openDeviceBook } from '../record/device-book.ts';
import { openRunnerStream } from '../record/runner-stream.ts';
import { type OpenPush, openPush } from './open-push.ts';

const LEA = { name: 'lea', face: 'web:x' };
const ORIGIN = 'https://desk.example';

describe('notifications of a device', () => {
	it('arrive encrypted, signed by the kept key, with nothing but the id, the number and the runner', async () => {
		await using world = await startWorld();
		const phone = await world.subscribe();
		world.push().send({ count: 2, ask: world.ask });
		const [first] = await world.received(1);
		expect(JSON.parse(first?.text ?? '')).toEqual({ count: 2, ask: 's1.1', runner: 'desk' });
		expect(first).toMatchObject({ ttl: 3_600, topic: 'asks', urgency: 'high', contact: ORIGIN });
		expect(first?.publicKey).toBe(unwrap(world.push().book.publicKey()));
		expect(lstatSync(join(world.data, 'push-key.pem')).mode & 0o777).toBe(0o600);
		unwrap(await world.push().book.test(phone));
		expect((await world.received(2))[1]?.text).toBe('{"count":0,"runner":"desk","test":true}');
	});

	it('survive a restart in a private file, with the same key, and are recorded without their address', async () => {
		await using world = await startWorld();
		const phone = await world.subscribe();
		const key = unwrap(world.push().book.publicKey());
		world.restart();
		expect([world.push().book.has(phone), unwrap(world.push().book.publicKey())]).toEqual([true, key]);
		expect(lstatSync(world.file).mode & 0o777).toBe(0o600);
		world.push().send({ count: 1, ask: world.ask });
		await world.received(1);
		unwrap(await world.push().book.unsubscribe(phone, LEA));
		world.restart();
		expect(world.push().book.has(phone)).toBe(false);
		expect(world.titles()).toEqual([
			'Device registered by lea@web:x: a phone',
			expect.stringMatching(/^Notifications enabled by lea@web:x: a phone \(127\.0\.0\.1:\d+\)$/),
			expect.stringMatching(/^Notifications disabled by lea@web:x: a phone/),
		]);
		expect(world.record()).not.toContain('/push/');
	});

	it('end with the device, at once and for good', async () => {
		await using world = await startWorld();
		const phone = await world.subscribe();
		unwrap(await world.devices().revoke(phone, LEA));
		expect(world.push().book.has(phone)).toBe(false);
		world.push().send({ count: 1, ask: world.ask });
		world.push().book.forget(phone);
		expect(readFileSync(world.file, 'utf8')).not.toContain('endpoint');
		world.restart();
		world.push().send({ count: 1, ask: world.ask });
		expect([world.push().book.has(phone), world.service.requests()]).toEqual([false, 0]);
	});

	it('exclude subscriptions that were changed in the file, or restored after they were turned off', async () => {
		await using world = await startWorld();
		const [swapped, restored] = [await world.subscribe(), await world.subscribe()];
		const before = JSON.parse(readFileSync(world.file, 'utf8'));
		unwrap(await world.push().book.unsubscribe(restored, LEA));
		before.subscriptions[0].subscription.keys = createReceiver().keys;
		writeFileSync(world.file, JSON.stringify(before));
		world.restart();
		expect([swapped, restored].map((device) => world.push().book.has(device))).toEqual([false, false]);
		expect(world.warnings).toEqual([expect.stringContaining('not on record'), expect.stringContaining('not on record')]);
	});

	it('are forgotten when the service says that they are gone', async () => {
		await using world = await startWorld();
		const phone = await world.subscribe();
		world.service.answerWith(410);
		world.push().send({ count: 1, ask: world.ask });
		await waitFor(() => (world.push().book.has(phone) ? undefined : true), { what: 'the end of the subscription' });
		await waitFor(() => world.titles().at(-1)?.includes('disabled by system') || undefined, { what: 'the fact' });
	});

	it('follow no redirect', async () => {
		await using world = await startWorld();
		await using other = await startPushService();
		const phone = await world.subscribe();
		for (const status of [301, 302, 307, 308]) {
			world.service.answerWith(status, { location: other.subscribe().endpoint });
			const refused = unwrapError(await world.push().book.test(phone));
			expect.soft(refused.message).toBe(`The test was not sent: it answered with ${status}.`);
		}
		expect(other.requests()).toBe(0);
	});

	it('are not accepted for another server, or with keys that are no keys', async () => {
		await using world = await startWorld();
		const phone = await world.register();
		const { book } = world.push();
		const keys = createReceiver().keys;
		for (const endpoint of [
			'https://evil.example/x',
			'http://127.0.0.1:1/x',
			'https://169.254.169.254/x',
			'file:///etc/passwd',
		]) {
			const refused = unwrapError(await book.subscribe(phone, { endpoint, keys }, LEA));
			expect.soft([refused.code, refused.message]).toEqual(['denied', expect.stringContaining('push.hosts in config.yaml')]);
		}
		const point = Buffer.alloc(65, 4).toString('base64url');
		const bad = { endpoint: world.service.subscribe().endpoint, keys: { ...keys, p256dh: point } };
		expect(unwrapError(await book.subscribe(phone, bad, LEA)).code).toBe('bad_request');
		expect([book.has(phone), world.titles().length]).toEqual([false, 1]);
		expect(unwrapError(await book.test(phone)).message).toContain('Notifications are off');
	});
});

async function startWorld() {
	await using stack = new AsyncDisposableStack();
	const data = stack.use(await createTempDir()).path;
	const service = stack.use(await startPushService());
	const store = createMemoryStore();
	stack.defer(() => store.close());
	const id = runnerId.parse('runner-1');
	const warnings: string[] = [];
	const warn = (sentence: string) => void warnings.push(sentence);
	const own = unwrap(openRunnerStream({ store, runnerId: id, now: () => 1 }));
	const common = { home: { data }, store, runnerId: id, own, warn };
	const openAll = (): { push: OpenPush; devices: ReturnType<typeof openDevices> } => {
		const devices = openDevices();
		return { devices, push: unwrap(openPush({ ...common, devices, name: 'desk', hosts: [service.host], now: Date.now })) };
	};
	const openDevices = () => unwrap(openDeviceBook({ ...common, now: () => 1 }));
	let open = openAll();
	const owned = stack.move();

	async function register(): Promise<DeviceId> {
		const body = { name: 'a phone', origin: ORIGIN, publicKey: createTestKey(ORIGIN).publicKey };
		return unwrap(await open.devices.register(body, LEA)).id;
	}

	const lines = () => unwrap(store.read({ stream: runnerStream(id), after: 0, limit: 100 })).map(({ line }) => line);
	return {
		data,
		service,
		warnings,
		ask: askId.parse('s1.1'),
		file: join(data, 'push.json'),
		push: () => open.push,
		devices: () => open.devices,
		register,
		async subscribe() {
			const device = await register();
			unwrap(await open.push.book.subscribe(device, service.subscribe(), LEA));
			return device;
		},
		restart() {
			open.push[Symbol.dispose]();
			open = openAll();
		},
		received: (count: number) =>
			waitFor(() => (service.received.length >= count ? service.received : undefined), { what: `push ${count}` }),
		titles: () => lines().map((line) => eventTitle(storedLine.parse(JSON.parse(line)).event)),
		record: () => lines().join('\n'),
		async [Symbol.asyncDispose]() {
			open.push[Symbol.dispose]();
			await owned.disposeAsync();
		},
	};
}
