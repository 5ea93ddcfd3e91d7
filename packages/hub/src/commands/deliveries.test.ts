// Commands over one connection, with a real store: what a repeat gets, and what is sent again.
import { join } from 'node:path';
import { AppError } from '@roost/protocol/app-error';
import type { LinkCall } from '@roost/protocol/hub/link-frames';
import { err } from '@roost/protocol/result';
import { loneNode } from '@roost/testkit/rigs/hub/lone-node';
import { sampleRunner } from '@roost/testkit/rigs/hub/sample-log';
import { createTempDir } from '@roost/testkit/rigs/temp-dir';
import { unwrap, unwrapError } from '@roost/testkit/rigs/unwrap';
import { waitFor } from '@roost/testkit/rigs/wait-for';
import { expect, it } from 'vitest';
import { loadRunners } from '../runners/known-runners.ts';
import type { RunnerLink } from '../runners/runner-link.ts';
import type { HubStore } from '../store/hub-store.ts';
import { openSqliteHubStore } from '../store/sqlite-hub-store.ts';
import { createDeliveries } from './deliveries.ts';

const CALL: LinkCall = { operation: 'sessions.rename', input: { id: 's', title: 't' }, by: { name: 'ada', face: 'web' } };
const DONE = { ok: true, value: 1 } as const;

it('a command that is signed again with the same words has the first outcome; with other words it is a conflict', async () => {
	await using rig = await openRig();
	const seal = (issuedAt: number) => ({
		id: 'c1',
		device: 'd'.repeat(16) as never,
		issuedAt,
		expiresAt: issuedAt + 60_000,
		signature: `${issuedAt}`.padEnd(86, 'A'),
	});
	const first = rig.run('c1', { ...CALL, seal: seal(1) });
	await rig.settle('c1');
	expect(unwrap(await first)).toEqual(DONE);
	expect(unwrap(await rig.run('c1', { ...CALL, seal: seal(2) }))).toEqual(DONE);
	expect(unwrapError(await rig.run('c1', { ...CALL, input: { id: 's', title: 'other' } })).code).toBe('conflict');
	expect(rig.delivered).toEqual(['c1']);
});

it('a cancelled command is not sent when its caller repeats it', async () => {
	await using rig = await openRig();
	unwrap(await rig.store.commands.open({ ...rig.command('c1'), createdAt: 1 }));
	expect(unwrap(await rig.store.commands.cancel('c1', 2))).toBe(true);
	expect(unwrap(await rig.run('c1'))).toMatchObject({ ok: false, error: { code: 'interrupted' } });
	expect(rig.delivered).toEqual([]);
});

it('a command whose receipt could not be stored is sent again over the same connection, for the receipt', async () => {
	await using rig = await openRig();
	const ran = rig.run('c1');
	await waitFor(() => rig.delivered.length > 0 || undefined, { what: 'the command' });
	rig.failing = true;
	expect(unwrapError(await rig.settle('c1')).code).toBe('store_unavailable');
	rig.failing = false;
	await waitFor(() => rig.delivered.length > 1 || undefined, { what: 'the command again' });
	await rig.settle('c1');
	expect(unwrap(await ran)).toEqual(DONE);
});

async function openRig() {
	await using stack = new AsyncDisposableStack();
	const temp = stack.use(await createTempDir());
	const store: HubStore = stack.use(unwrap(openSqliteHubStore({ path: join(temp.path, 'hub.db') })));
	unwrap(await store.runners.pair(sampleRunner('runner-1')));
	const lone = loneNode();
	const runners = unwrap(await loadRunners({ store, ...lone }));
	const runner = runners.list()[0] ?? expect.fail('no runner');
	const delivered: string[] = [];
	runner.link = { deliver: ({ commandId }) => void delivered.push(commandId) } satisfies Partial<RunnerLink> as never;
	const rig = {
		failing: false,
		delivered,
		store,
		command: (id: string, call = CALL) => ({
			id,
			runner: runner.id,
			call,
			kind: 'operate' as const,
			expiresAt: Date.now() + 60_000,
		}),
		run: (id: string, call = CALL) => deliveries.run(runner, rig.command(id, call)),
		async settle(id: string) {
			await waitFor(() => delivered.includes(id) || undefined, { what: `the delivery of ${id}` });
			return await deliveries.settle(runner.id, id, DONE);
		},
		[Symbol.asyncDispose]: () => owned.disposeAsync(),
	};
	const commands: HubStore['commands'] = {
		...store.commands,
		close: async (...given) =>
			rig.failing ? err(new AppError('store_unavailable', 'No.')) : await store.commands.close(...given),
	};
	const deliveries = stack.use(createDeliveries({ ...lone, commands, runners, now: Date.now, waitMs: 60_000, sweepMs: 20 }));
	const owned = stack.move();
	return rig;
}
