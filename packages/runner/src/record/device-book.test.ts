import { lstatSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { eventTitle } from '@roost/core/feed/title';
import { AppError } from '@roost/protocol/app-error';
import { deviceId, runnerId, streamId } from '@roost/protocol/ids';
import { err } from '@roost/protocol/result';
import { storedLine } from '@roost/protocol/stored-line';
import { createMemoryStore } from '@roost/store/memory-store';
import { createTestKey } from '@roost/testkit/rigs/api/test-device';
import { createTempDir } from '@roost/testkit/rigs/temp-dir';
import { unwrap, unwrapError } from '@roost/testkit/rigs/unwrap';
import { describe, expect, it } from 'vitest';
import { openDeviceBook } from './device-book.ts';
import { openRunnerStream, type RunnerStream } from './runner-stream.ts';

const LEA = { name: 'lea', face: 'cli' };
const ORIGIN = 'http://127.0.0.1:3100';

describe('devices of a runner', () => {
	it('survive a restart in a file that only its owner can read, and are recorded as facts', async () => {
		await using world = await startWorld();
		const { id } = await world.register('Firefox on Linux');
		world.pass(5_000);
		world.book().noteSeen(id);
		world.restart();
		expect(world.book().list()).toMatchObject([
			{ id, name: 'Firefox on Linux', origin: ORIGIN, createdAt: 1, lastSeenAt: 5_001 },
		]);
		expect(lstatSync(world.file).mode & 0o777).toBe(0o600);
		unwrap(await world.book().revoke(id, LEA));
		world.restart();
		expect(world.book().list()).toEqual([]);
		expect(world.facts()).toEqual([
			['device.registered', 'Device registered by lea@cli: Firefox on Linux', id],
			['device.revoked', 'Device revoked by lea@cli: Firefox on Linux', id],
		]);
	});

	it('are registered once per key', async () => {
		await using world = await startWorld();
		const body = { name: 'x', origin: ORIGIN, publicKey: createTestKey(ORIGIN).publicKey };
		const first = unwrap(await world.book().register(body, LEA));
		expect(unwrap(await world.book().register({ ...body, name: 'y' }, LEA))).toEqual(first);
		expect(world.facts()).toHaveLength(1);
	});

	it('exclude those that were added to the file, have another key, or were restored from a backup', async () => {
		await using world = await startWorld();
		const [kept, swapped, revoked] = [await world.register('a'), await world.register('b'), await world.register('c')];
		unwrap(await world.book().revoke(revoked.id, LEA));
		const planted = { ...kept, id: deviceId.parse('a'.repeat(16)), publicKey: createTestKey(ORIGIN).publicKey };
		const other = { ...swapped, publicKey: createTestKey(ORIGIN).publicKey };
		writeFileSync(world.file, JSON.stringify({ devices: [kept, other, revoked, planted] }));
		world.restart();
		expect(world.book().list()).toEqual([kept]);
		expect(world.warnings).toHaveLength(3);
		for (const id of [swapped.id, revoked.id, planted.id]) expect(world.warnings.join('\n')).toContain(`Device ${id}`);
	});

	it('are empty with a warning if the file is malformed', async () => {
		await using world = await startWorld();
		await world.register('a');
		writeFileSync(world.file, '{');
		world.restart();
		expect(world.book().list()).toEqual([]);
		expect(world.warnings).toEqual([expect.stringContaining('roost status --link')]);
		await world.register('b');
		expect(JSON.parse(readFileSync(world.file, 'utf8')).devices).toHaveLength(1);
	});

	it('are not added without a recorded fact, but are removed immediately even if that fails', async () => {
		await using world = await startWorld();
		const { id } = await world.register('a');
		world.breakRecord();
		const body = { name: 'b', origin: ORIGIN, publicKey: createTestKey(ORIGIN).publicKey };
		expect(unwrapError(await world.book().register(body, LEA)).code).toBe('store_unavailable');
		expect(world.book().list()).toHaveLength(1);
		const revoking = world.book().revoke(id, LEA);
		expect(world.book().find(id)).toBeUndefined();
		expect(unwrapError(await revoking).code).toBe('store_unavailable');
		world.restart();
		expect(world.book().list()).toEqual([]);
	});

	it('are limited to a hundred', async () => {
		await using world = await startWorld();
		for (let count = 0; count < 100; count++) await world.register(`device ${count}`);
		const body = { name: 'one more', origin: ORIGIN, publicKey: createTestKey(ORIGIN).publicKey };
		expect(unwrapError(await world.book().register(body, LEA)).message).toContain('roost devices revoke');
		world.restart();
		expect(world.book().list()).toHaveLength(100);
	});
});

async function startWorld() {
	await using stack = new AsyncDisposableStack();
	const { path } = stack.use(await createTempDir());
	const store = stack.use(createMemoryStore());
	const place = { store, runnerId: runnerId.parse('r1'), now: () => now };
	const recorded = unwrap(openRunnerStream(place));
	const warnings: string[] = [];
	let now = 1;
	let own: Pick<RunnerStream, 'record'> = recorded;
	const open = () =>
		unwrap(
			openDeviceBook({
				...place,
				home: { data: path },
				own: { record: (fact) => own.record(fact) },
				warn: (line) => void warnings.push(line),
			}),
		);
	let book = open();
	const owned = stack.move();
	return {
		file: join(path, 'devices.json'),
		warnings,
		book: () => book,
		restart() {
			book = open();
		},
		pass(ms: number) {
			now += ms;
		},
		breakRecord() {
			own = { record: async () => err(new AppError('store_unavailable', 'The disk is full.')) };
		},
		register: async (name: string) =>
			unwrap(await book.register({ name, origin: ORIGIN, publicKey: createTestKey(ORIGIN).publicKey }, LEA)),
		facts: () =>
			unwrap(store.read({ stream: streamId.parse('runner:r1'), after: 0, limit: 1_000 })).map(({ line }) => {
				const { event } = storedLine.parse(JSON.parse(line));
				return [event.kind, eventTitle(event), 'device_id' in event.data ? event.data.device_id : undefined];
			}),
		[Symbol.asyncDispose]: () => owned.disposeAsync(),
	};
}
