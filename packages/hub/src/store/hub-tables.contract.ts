// Runners, commands, people and the audit log, as every hub storage keeps them.

import { deviceId, runnerId } from '@roost/protocol/ids';
import { sampleBatch, sampleLog, sampleRunner } from '@roost/testkit/rigs/hub/sample-log';
import { unwrap, unwrapError } from '@roost/testkit/rigs/unwrap';
import { expect, it } from 'vitest';
import { type HubWorld, pair } from './hub-store.contract.ts';
import type { HubDevice, HubStore } from './hub-store.ts';

const RUNNER = runnerId.parse('runner-1');

export function describeHubTables(createWorld: () => Promise<HubWorld>): void {
	it('pairs a runner with one key until it is revoked', async () => {
		await using world = await createWorld();
		const { runners } = world.store;
		unwrap(await runners.pair({ ...sampleRunner('runner-2'), name: 'Zoë' }));
		unwrap(await runners.pair(sampleRunner('runner-1')));
		const seen = { name: 'laptop', version: '1.2.3', at: 2_000 };
		expect(unwrap(await runners.noteLink(RUNNER, seen))).toBe(1);
		unwrap(await runners.noteSeen(RUNNER, 1_500));
		unwrap(await runners.noteSeen(runnerId.parse('unknown'), 1));
		expect(unwrapError(await runners.noteLink(runnerId.parse('unknown'), seen)).code).toBe('not_found');
		const laptop = { ...sampleRunner('runner-1'), name: 'laptop', version: '1.2.3', lastSeenAt: 2_000, revokedAt: null };
		expect(unwrap(await runners.find(RUNNER))).toEqual(laptop);
		expect(unwrap(await runners.find(runnerId.parse('unknown')))).toBeUndefined();
		const stranger = { ...sampleRunner('runner-1'), publicKey: 'another' };
		expect(unwrapError(await runners.pair(stranger))).toMatchObject({
			code: 'conflict',
			message: expect.stringContaining('Revoke it'),
		});
		unwrap(await runners.revoke(RUNNER, 3_000));
		unwrap(await runners.revoke(RUNNER, 4_000));
		expect(unwrap(await runners.list()).map(({ name, revokedAt }) => [name, revokedAt])).toEqual([
			['Zoë', null],
			['laptop', 3_000],
		]);
		unwrap(await runners.pair(stranger));
		const store = await world.reopen();
		expect(unwrap(await store.runners.find(RUNNER))).toMatchObject({ publicKey: 'another', revokedAt: null });
	});

	it('numbers the connections of a runner, and lists them with the ends of the logs', async () => {
		await using world = await createWorld();
		const log = await pair(world.store, 'runner-1');
		unwrap(await world.store.runners.pair(sampleRunner('runner-2')));
		const { runners, logs } = world.store;
		const named = { name: 'laptop', version: '1' };
		const seen = { ...named, at: 2 };
		const numbers = await Promise.all(Array.from({ length: 5 }, () => runners.noteLink(RUNNER, seen)));
		expect(numbers.map(unwrap).toSorted()).toEqual([1, 2, 3, 4, 5]);
		unwrap(await logs.take(sampleBatch(log, await sampleLog('runner-1', ['a', 'b']))));
		const heads = async () => unwrap(await runners.heads()).toSorted((a, b) => a.id.localeCompare(b.id));
		const other = {
			id: 'runner-2',
			name: 'name of runner-2',
			version: '',
			isRevoked: false,
			links: 0,
			epoch: undefined,
			lastSeqNo: 0,
		};
		expect(await heads()).toEqual([{ id: 'runner-1', ...named, isRevoked: false, links: 5, epoch: 1, lastSeqNo: 2 }, other]);
		unwrap(await logs.openEpoch({ ...log, epoch: 3 }, 'restored', 5));
		unwrap(await runners.revoke(other.id as typeof RUNNER, 6));
		expect(await heads()).toEqual([
			{ id: 'runner-1', ...named, isRevoked: false, links: 5, epoch: 3, lastSeqNo: 0 },
			{ ...other, isRevoked: true },
		]);
	});

	it('finds commands of several runners in one call', async () => {
		await using world = await createWorld();
		const others = ['runner-1', 'runner-2', 'runner-3'].map((id) => runnerId.parse(id));
		for (const [at, runner] of others.entries()) {
			await pair(world.store, runner);
			unwrap(await world.store.commands.open({ ...command(`c${at + 1}`), runner }));
		}
		const { commands } = world.store;
		unwrap(await commands.close(RUNNER, 'c1', { ok: true, value: 1 }));
		const ids = (found: Awaited<ReturnType<typeof commands.find>>) => unwrap(found).map(({ id }) => id);
		expect(ids(await commands.pending(others))).toEqual(['c2', 'c3']);
		expect(ids(await commands.pending(others.slice(0, 2)))).toEqual(['c2']);
		expect(ids(await commands.pending([]))).toEqual([]);
		expect(unwrap(await commands.find(['c1', 'unknown'])).map(({ id, state }) => [id, state])).toEqual([['c1', 'done']]);
	});

	it('delivers a command until it has an outcome, and keeps the first one', async () => {
		await using world = await createWorld();
		await pair(world.store, 'runner-1');
		const first = unwrap(await world.store.commands.open(command('c1')));
		expect(first).toEqual({ ...command('c1'), state: 'open', outcome: null });
		expect(unwrap(await world.store.commands.open(command('c1')))).toEqual(first);
		unwrap(await world.store.commands.open(command('c2')));
		const { commands } = await world.reopen();
		expect(unwrap(await commands.pending([RUNNER])).map(({ id }) => id)).toEqual(['c1', 'c2']);
		const done = unwrap(await commands.close(RUNNER, 'c1', { ok: true, value: { a: [1] } }));
		expect(done).toEqual({ ...first, state: 'done', outcome: { ok: true, value: { a: [1] } } });
		const error = { code: 'conflict', message: 'late' } as const;
		expect(unwrap(await commands.close(RUNNER, 'c1', { ok: false, error }))).toEqual(done);
		expect(unwrap(await commands.open(command('c1')))).toEqual(done);
		expect(unwrap(await commands.close(RUNNER, 'unknown', { ok: true, value: null }))).toBeUndefined();
		const other = runnerId.parse('runner-2');
		expect(unwrap(await commands.close(other, 'c2', { ok: true, value: null }))).toBeUndefined();
		expect(unwrap(await commands.pending([RUNNER])).map(({ id }) => id)).toEqual(['c2']);
		expect(unwrap(await commands.countOpen())).toBe(1);
		expect(unwrap(await commands.list({ limit: 5 })).map(({ id }) => id)).toEqual(['c2', 'c1']);
		expect(unwrap(await commands.list({ runner: RUNNER, limit: 1 })).map(({ id }) => id)).toEqual(['c2']);
		expect(unwrap(await commands.list({ runner: runnerId.parse('runner-2'), limit: 1 }))).toEqual([]);
	});

	it('rejects another command with a used id, and one for an unknown runner', async () => {
		await using world = await createWorld();
		await pair(world.store, 'runner-1');
		await pair(world.store, 'runner-2');
		const { commands } = world.store;
		unwrap(await commands.open(command('c1')));
		const call = { ...command('c1').call, input: { text: 'other' } };
		const refused = [
			await commands.open({ ...command('c1'), call }),
			await commands.open({ ...command('c1'), runner: runnerId.parse('runner-2') }),
			await commands.open({ ...command('c3'), runner: runnerId.parse('unknown') }),
		];
		expect(refused.map((result) => unwrapError(result).code)).toEqual(['conflict', 'conflict', 'not_found']);
		const reordered = { input: { b: undefined, a: 1 }, by: { face: 'web', name: 'ada' }, operation: 'sessions.prompt' };
		expect(unwrap(await commands.open({ ...command('c1'), call: reordered })).id).toBe('c1');
	});

	it('cancels and expires open commands only; a late receipt still counts', async () => {
		await using world = await createWorld();
		await pair(world.store, 'runner-1');
		const { commands } = world.store;
		for (const [at, id] of ['c1', 'c2', 'c3', 'c4'].entries())
			unwrap(await commands.open({ ...command(id), expiresAt: 100 + at }));
		expect(unwrap(await commands.cancel('c1', 50))).toBe(true);
		expect(unwrap(await commands.cancel('c1', 50))).toBe(false);
		unwrap(await commands.close(RUNNER, 'c2', { ok: true, value: 1 }));
		expect(unwrap(await commands.cancel('c2', 50))).toBe(false);
		expect(unwrap(await commands.expire(102)).map(({ id, state, runner }) => [id, state, runner])).toEqual([
			['c3', 'expired', 'runner-1'],
		]);
		expect(unwrap(await commands.expire(102))).toEqual([]);
		expect(unwrap(await commands.pending([RUNNER])).map(({ id }) => id)).toEqual(['c4']);
		expect(unwrap(await commands.close(RUNNER, 'c3', { ok: true, value: 2 }))).toMatchObject({
			state: 'done',
			outcome: { value: 2 },
		});
	});

	it('keeps the device of a known key until it is revoked', async () => {
		await using world = await createWorld();
		const { people } = world.store;
		expect(unwrap(await people.addDevice(device(1)))).toEqual(device(1));
		expect(unwrap(await people.addDevice({ ...device(1), user: 'bob', name: 'stolen' }))).toEqual(device(1));
		expect(unwrapError(await people.addDevice({ ...device(1), publicKey: 'another' })).code).toBe('conflict');
		unwrap(await people.addDevice(device(2)));
		unwrap(await people.revokeDevice(device(1).id, 5));
		expect(unwrap(await people.devices())).toEqual([device(2)]);
		unwrap(await people.addDevice({ ...device(1), user: 'bob' }));
		const store = await world.reopen();
		expect(unwrap(await store.people.devices()).map(({ user }) => user)).toEqual(['bob', 'ada']);
	});

	it('replaces the grants of a user', async () => {
		await using world = await createWorld();
		const { people } = world.store;
		const all = { runner: null, role: 'viewer' } as const;
		const one = { runner: RUNNER, role: 'approver' } as const;
		unwrap(await people.setGrants('ada', [all, one, one]));
		unwrap(await people.setGrants('bob', [all]));
		unwrap(await people.setGrants('ada', [one]));
		expect(unwrap(await people.grants())).toEqual([
			{ user: 'ada', ...one },
			{ user: 'bob', ...all },
		]);
	});

	it('redeems a pairing code once, in time, with its grants', async () => {
		await using world = await createWorld();
		const grants = [{ runner: RUNNER, role: 'operator' } as const];
		const pairing = { codeHash: 'h1', user: 'ada', grants, by: { name: 'root', face: 'cli' }, expiresAt: 100 };
		unwrap(await world.store.people.setGrants('ada', [{ runner: null, role: 'viewer' }]));
		unwrap(await world.store.people.addPairing(pairing));
		expect(unwrapError(await world.store.people.addPairing(pairing)).code).toBe('conflict');
		expect(unwrap(await world.store.people.redeem('h1', 100))).toBeUndefined();
		expect(unwrap(await world.store.people.redeem('unknown', 99))).toBeUndefined();
		const { people } = await world.reopen();
		const redeemed = (await Promise.all(Array.from({ length: 8 }, () => people.redeem('h1', 99)))).map(unwrap);
		expect(redeemed.filter((found) => found !== undefined)).toEqual([pairing]);
		unwrap(await people.addPairing({ ...pairing, codeHash: 'h2' }));
		unwrap(await people.voidPairings(90));
		expect(unwrap(await people.redeem('h2', 99))).toBeUndefined();
		expect(unwrap(await people.grants()).map(({ user, role }) => [user, role])).toEqual([
			['ada', 'viewer'],
			['ada', 'operator'],
		]);
	});

	it('chains the audit entries of concurrent writers', async () => {
		await using world = await createWorld();
		expect(unwrap(await world.store.audit.verify())).toEqual([]);
		const append = (at: number) => world.store.audit.append({ at: at + 0.5, who: 'ada@web', what: `granted "${at}" \\ é` });
		const appended = (await Promise.all(Array.from({ length: 20 }, (_, at) => append(at)))).map(unwrap);
		const { audit } = await world.reopen();
		expect(unwrap(await audit.list({ after: 0, limit: 100 }))).toEqual(appended.toSorted((a, b) => a.n - b.n));
		expect(unwrap(await audit.list({ after: 18, limit: 1 })).map(({ n }) => n)).toEqual([19]);
		expect(unwrap(await audit.verify())).toEqual([]);
	});
}

function command(id: string): Parameters<HubStore['commands']['open']>[0] {
	const call = { operation: 'sessions.prompt', input: { a: 1 }, by: { name: 'ada', face: 'web' } };
	return { id, runner: RUNNER, call, kind: 'operate', createdAt: 1, expiresAt: 100 };
}

function device(at: number): HubDevice {
	const times = { createdAt: at, lastSeenAt: at };
	const id = deviceId.parse(`device${at}`.padEnd(16, '0'));
	return { id, name: `phone ${at}`, origin: 'https://hub', publicKey: `key ${at}`, ...times, user: 'ada', kind: 'page' };
}
