import { join } from 'node:path';
import type { Caller } from '@roost/gateway/access/caller';
import { inboxAsk } from '@roost/protocol/hub/inbox';
import { runnerRow } from '@roost/protocol/hub/runners';
import type { RunnerId } from '@roost/protocol/ids';
import { loneNode } from '@roost/testkit/rigs/hub/lone-node';
import { logOf, sampleBatch, sampleLog, sampleRunner } from '@roost/testkit/rigs/hub/sample-log';
import { sampleAsk } from '@roost/testkit/rigs/record/sample-append';
import { createTempDir } from '@roost/testkit/rigs/temp-dir';
import { unwrap } from '@roost/testkit/rigs/unwrap';
import { describe, expect, it } from 'vitest';
import { openHub } from '../open-hub.ts';
import { loadRunners } from '../runners/known-runners.ts';
import type { HubStore } from '../store/hub-store.ts';
import { openSqliteHubStore } from '../store/sqlite-hub-store.ts';
import { inboxHandlers } from './inbox.ts';

const PRINCIPAL = { name: 'ada', face: 'cli' };
const CALLER: Caller = { via: 'token', principal: PRINCIPAL, roles: ['view'], address: '127.0.0.1', origin: undefined };
const CONTEXT = { caller: CALLER, by: PRINCIPAL, report: () => {} };

describe('inbox of a hub', () => {
	it('has the pending requests of all runners, oldest first, each with its runner', async () => {
		await using temp = await createTempDir();
		await using server = await openServer(temp.path);
		const listed = inboxAsk.array().parse(await server.get('/inbox'));
		expect(listed.map(({ id, runner }) => [id, runner])).toEqual([
			['s1.1', { id: 'desktop', name: 'name of desktop', online: false }],
			['s1.1', { id: 'laptop', name: 'name of laptop', online: false }],
			['s1.3', { id: 'desktop', name: 'name of desktop', online: false }],
		]);
		expect(listed[0]).toMatchObject(sampleAsk('s1.1', { openedAt: 10 }));
		const runners = runnerRow.array().parse(await server.get('/runners'));
		expect(runners).toMatchObject([
			{ asks: 2, activeAt: expect.any(Number) },
			{ asks: 1, activeAt: expect.any(Number) },
		]);
	});

	it('leaves out runners that the caller may not see, and says which are online', async () => {
		await using rig = await openHandlers((runner) => runner === 'laptop');
		const [desktop, laptop] = rig.known.list();
		if (laptop) Object.assign(laptop, { link: {} });
		expect(desktop?.id).toBe('desktop');
		expect(await rig.inbox()).toMatchObject([{ id: 's1.1', runner: { id: 'laptop', online: true } }]);
	});

	it('has the newest 500', async () => {
		await using rig = await openHandlers(() => true);
		const many = Array.from({ length: 501 }, (_, at) => sampleAsk(`s2.${at}`, { openedAt: 100 + at }));
		await fill(rig.store, 'server', many);
		unwrap(await rig.known.refresh(sampleRunner('server').id));
		const listed = await rig.inbox();
		expect([listed.length, listed[0]?.id, listed.at(-1)?.id]).toEqual([500, 's2.1', 's2.500']);
	});
});

async function openStore(folder: string): Promise<HubStore> {
	const store = unwrap(openSqliteHubStore({ path: join(folder, 'hub.db') }));
	await fill(store, 'laptop', [sampleAsk('s1.1', { openedAt: 20 })]);
	const decided = sampleAsk('s1.2', { openedAt: 15, state: 'denied' });
	await fill(store, 'desktop', [sampleAsk('s1.3', { openedAt: 30 }), decided, sampleAsk('s1.1', { openedAt: 10 })]);
	return store;
}

/** Pairs a runner whose log has these requests. */
async function fill(store: HubStore, name: string, asks: readonly ReturnType<typeof sampleAsk>[]): Promise<void> {
	unwrap(await store.runners.pair(sampleRunner(name)));
	unwrap(await store.logs.openEpoch(logOf(name), 'first connection', 1));
	const batch = sampleBatch(logOf(name), await sampleLog(name, ['s1']));
	unwrap(await store.logs.take({ ...batch, rows: { ...batch.rows, asks: [...asks] } }));
}

async function openServer(folder: string) {
	const store = await openStore(folder);
	const token = 'token-of-the-hub-for-this-test';
	const place = { host: '127.0.0.1', port: 0, origins: [], name: 'hub' };
	const opened = unwrap(await openHub({ ...place, store, token, firstUser: 'ada', now: Date.now, log: () => {} }));
	const headers = { authorization: `Bearer ${token}` };
	return {
		get: async (path: string): Promise<unknown> => (await fetch(`${opened.url}/api/v1${path}`, { headers })).json(),
		[Symbol.asyncDispose]: () => opened[Symbol.asyncDispose](),
	};
}

async function openHandlers(maySee: (runner: RunnerId) => boolean) {
	await using stack = new AsyncDisposableStack();
	const store = stack.use(await openStore(stack.use(await createTempDir()).path));
	const known = unwrap(await loadRunners({ store, ...loneNode() }));
	const callerFor = (caller: Caller, runner: RunnerId): Caller => ({ ...caller, roles: maySee(runner) ? ['view'] : [] });
	const { inbox } = inboxHandlers({ runners: known, rows: store.rows, callerFor });
	const owned = stack.move();
	return {
		store,
		known,
		inbox: async () => unwrap(await inbox({}, CONTEXT)),
		[Symbol.asyncDispose]: () => owned.disposeAsync(),
	};
}
