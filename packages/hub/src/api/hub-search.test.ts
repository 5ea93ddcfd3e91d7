import { join } from 'node:path';
import type { Caller } from '@roost/gateway/access/caller';
import { contract } from '@roost/protocol/contract/contract';
import { hub } from '@roost/protocol/contract/hub';
import { ROLES } from '@roost/protocol/contract/operation';
import { hubFound, hubUsageReport } from '@roost/protocol/hub/search';
import { loneNode } from '@roost/testkit/rigs/hub/lone-node';
import { sampleBatch } from '@roost/testkit/rigs/hub/sample-log';
import { type SampleEvent, sampleRecord } from '@roost/testkit/rigs/hub/sample-record';
import { sampleSession, tokens } from '@roost/testkit/rigs/record/sample-append';
import { createTempDir } from '@roost/testkit/rigs/temp-dir';
import { unwrap, unwrapError } from '@roost/testkit/rigs/unwrap';
import { describe, expect, it } from 'vitest';
import { createDeliveries } from '../commands/deliveries.ts';
import { loadRunners } from '../runners/known-runners.ts';
import { indexAll } from '../search/search.contract.ts';
import { pair } from '../store/hub-store.contract.ts';
import { openSqliteHubStore } from '../store/sqlite-hub-store.ts';
import { hubSearchHandlers } from './hub-search.ts';
import { createServedRunners } from './served-runners.ts';

const ADA: Caller = { via: 'token', principal: { name: 'ada', face: 'cli' }, roles: ROLES, address: '::1', origin: undefined };

/** Two runners with sessions of the same ids, of which `index` are indexed; `visible` ones may be seen. */
async function openWorld({ visible = ['runner-1', 'runner-2'], index = ['runner-1', 'runner-2'] } = {}) {
	await using stack = new AsyncDisposableStack();
	const directory = stack.use(await createTempDir());
	const store = stack.use(unwrap(openSqliteHubStore({ path: join(directory.path, 'hub.db') })));
	for (const [at, runner] of ['runner-1', 'runner-2'].entries()) {
		await using record = await sampleRecord(runner, said('fix the parser', at === 0 ? 3 : 2));
		const log = await pair(store, runner);
		const usage = [
			{
				sessionId: 's1',
				day: '2026-11-15',
				model: 'claude-opus-5',
				agent: 'claude',
				projectId: 'p',
				usage: tokens(100 * (at + 1), 1),
			},
			{ sessionId: 's2', day: '2026-11-16', model: 'gpt-5.3-codex', agent: 'codex', projectId: 'p', usage: tokens(10, 0) },
		];
		const batch = sampleBatch(log, record.lines);
		const sessions = [sampleSession('s1', { title: `first of ${runner}` }), sampleSession('s2')];
		unwrap(await store.logs.take({ ...batch, rows: { ...batch.rows, sessions, usage } }));
		if (index.includes(runner)) await indexAll(store, runner);
	}
	const runners = unwrap(await loadRunners({ store, ...loneNode() }));
	const callerFor = (caller: Caller, id: string): Caller => ({ ...caller, roles: visible.includes(id) ? caller.roles : [] });
	const { search, usage } = hubSearchHandlers({ runners, store, callerFor });
	const context = { caller: ADA, by: ADA.principal, report: () => {} };
	const deliveries = stack.use(
		createDeliveries({
			...loneNode(),
			runners,
			commands: store.commands,
			now: Date.now,
			waitMs: 1,
			sweepMs: 60_000,
			warn: (sentence) => expect.unreachable(sentence),
		}),
	);
	const find = createServedRunners({
		runners,
		store,
		callerFor,
		deliveries,
		channels: { of: () => () => expect.unreachable('a terminal') },
		mayCall: () => true,
		now: Date.now,
		newId: () => 'x',
	});
	const owned = stack.move();
	return {
		store,
		search: async (words: string, limit = 50) => hubFound.parse(unwrap(await search({ words, limit }, context))),
		usage: async (by: 'day' | 'session' | 'project' | 'agent' | 'model', since?: string) =>
			hubUsageReport.parse(unwrap(await usage({ by, since }, context))),
		refusal: async () => unwrapError(await search({ words: 'x', limit: 1 }, context)),
		under: (runner: string, words: string) =>
			find(runner)?.api.get('record.search')?.call({ params: {}, query: { words }, body: {} }, ADA),
		[Symbol.asyncDispose]: () => owned.disposeAsync(),
	};
}

function said(text: string, count: number): SampleEvent[] {
	return Array.from({ length: count }, (_, at) => ({ session: 's1', kind: 'agent.message', data: { text: `${text} ${at}` } }));
}

describe('search over all runners of a hub', () => {
	it('merges the hits of all runners, each with its runner, newest first and in the order of its log', async () => {
		await using world = await openWorld();
		const { hits, behind } = await world.search('parser');
		expect(behind).toEqual([]);
		const [first, second] = [
			{ id: 'runner-1', name: 'name of runner-1' },
			{ id: 'runner-2', name: 'name of runner-2' },
		];
		expect(hits.map(({ runner, offset }) => [runner, offset])).toEqual([
			[first, 3],
			[first, 2],
			[second, 2],
			[first, 1],
			[second, 1],
		]);
		expect((await world.search('parser', 2)).hits).toEqual(hits.slice(0, 2));
	});

	it('names the runners that are not indexed yet, and how many events', async () => {
		await using world = await openWorld({ index: ['runner-1'] });
		const { hits, behind } = await world.search('parser');
		expect(hits).toHaveLength(3);
		expect(behind).toEqual([{ id: 'runner-2', name: 'name of runner-2', events: 2 }]);
	});

	it('searches only runners that the caller may see', async () => {
		await using world = await openWorld({ visible: ['runner-2'], index: [] });
		expect(await world.search('parser')).toEqual({ hits: [], behind: [{ id: 'runner-2', name: 'name of runner-2', events: 2 }] });
		expect((await world.usage('day')).total.sessions).toBe(2);
	});

	it('answers the search of one runner with the reply of a runner', async () => {
		await using world = await openWorld({ index: ['runner-2'] });
		const found = contract.record.search.reply.parse(unwrap((await world.under('runner-2', 'parser')) ?? expect.unreachable()));
		expect(found).toMatchObject({ hits: [{ offset: 2, eventId: 's1:R1:E2' }, { offset: 1 }], unsearched: 0 });
		const other = unwrap((await world.under('runner-1', 'parser')) ?? expect.unreachable());
		expect(other).toEqual({ hits: [], unsearched: 3 });
	});

	it('fails with the store', async () => {
		await using world = await openWorld();
		await world.store[Symbol.asyncDispose]();
		expect((await world.refusal()).code).toBe('store_unavailable');
	});

	it('has the same query as a runner', () => {
		expect(hub.search.query).toBe(contract.record.search.query);
	});
});

describe('usage over all runners of a hub', () => {
	it('adds up days, agents and models, and keeps sessions and projects of runners apart', async () => {
		await using world = await openWorld();
		const shape = async (by: Parameters<typeof world.usage>[0]) =>
			(await world.usage(by)).groups.map(({ key, title, runner, sessions, tokens: used }) => [
				key,
				title,
				runner?.id,
				sessions,
				used.input_tokens,
			]);
		expect(await shape('day')).toEqual([
			['2026-11-15', undefined, undefined, 2, 300],
			['2026-11-16', undefined, undefined, 2, 20],
		]);
		expect((await shape('agent')).map(([key, , , , used]) => [key, used])).toEqual([
			['claude', 300],
			['codex', 20],
		]);
		expect((await shape('model')).map(([key]) => key)).toEqual(['claude-opus-5', 'gpt-5.3-codex']);
		expect((await shape('session')).toSorted()).toEqual([
			['s1', 'first of runner-1', 'runner-1', 1, 100],
			['s1', 'first of runner-2', 'runner-2', 1, 200],
			['s2', 'session s2', 'runner-1', 1, 10],
			['s2', 'session s2', 'runner-2', 1, 10],
		]);
		expect((await shape('project')).map(([key, , runner]) => [key, runner]).toSorted()).toEqual([
			['p', 'runner-1'],
			['p', 'runner-2'],
		]);
		expect((await world.usage('day')).total.sessions).toBe(4);
		expect((await world.usage('day', '2026-11-16')).groups).toHaveLength(1);
	});
});
