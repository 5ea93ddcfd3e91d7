// The contract of every store for usage; part of the suite for stores.
import { sampleAppend, sampleEvent, sampleUsage, tokens } from '@roost/testkit/rigs/record/sample-append';
import { unwrap } from '@roost/testkit/rigs/unwrap';
import { expect, it } from 'vitest';
import { toProjectId } from './project-id.ts';
import type { StoreWorld } from './store.contract.ts';
import type { AppendRequest, Store } from './store.ts';

const [COOP, BARN] = [toProjectId('runner-1', '/coop'), toProjectId('runner-1', '/barn')];

export function describeUsage(createWorld: () => Promise<StoreWorld>): void {
	it('is empty without usage', async () => {
		await using world = await createWorld();
		unwrap(await world.store.append(sampleAppend('a', [sampleEvent('a', 1)])));
		expect(unwrap(world.store.usage())).toEqual([]);
	});

	it('is counted by session, day and model, for every agent and past midnight', async () => {
		await using world = await createWorld();
		for (const request of usageAppends()) unwrap(await world.store.append(request));
		const claude = { sessionId: 'a', agent: 'claude', projectId: COOP };
		const codex = { sessionId: 'b', agent: 'codex', projectId: BARN };
		expect(sorted(unwrap(world.store.usage()))).toEqual([
			{ ...claude, day: '2026-11-14', model: 'opus', usage: tokens(100, 10) },
			{ ...claude, day: '2026-11-15', model: 'haiku', usage: tokens(7, 1) },
			{ ...claude, day: '2026-11-15', model: 'opus', usage: tokens(50, 5) },
			{ ...codex, day: '2026-11-15', model: 'gpt', usage: { ...tokens(1034, 56), reasoning_tokens: 7 } },
		]);
	});

	it('can be limited to a range of days, inclusive', async () => {
		await using world = await createWorld();
		for (const request of usageAppends()) unwrap(await world.store.append(request));
		const daysOf = (query: Parameters<Store['usage']>[0]) => new Set(unwrap(world.store.usage(query)).map(({ day }) => day));
		expect(daysOf({ since: '2026-11-15' })).toEqual(new Set(['2026-11-15']));
		expect(daysOf({ until: '2026-11-14' })).toEqual(new Set(['2026-11-14']));
		expect(daysOf({ since: '2026-11-14', until: '2026-11-15' })).toEqual(new Set(['2026-11-14', '2026-11-15']));
		expect(daysOf({ since: '2026-11-16' })).toEqual(new Set());
	});

	it('continues the totals of a session, and does not count a rejected append', async () => {
		await using world = await createWorld();
		const first = sampleUsage('a', 1, new Date(2026, 10, 15), { opus: tokens(100, 10) });
		unwrap(await world.store.append(first));
		expect((await world.store.append(first)).ok).toBe(false);
		const later = sampleUsage('a', 2, new Date(2026, 10, 20), { opus: tokens(130, 10) });
		const [again] = await Promise.all([world.store.append(first), world.store.append(later)]);
		expect(again.ok).toBe(false);
		expect(sorted(unwrap(world.store.usage())).map(({ day, usage }) => [day, usage.input_tokens])).toEqual([
			['2026-11-15', 100],
			['2026-11-20', 30],
		]);
	});

	it('is not affected if the caller changes an event later', async () => {
		await using world = await createWorld();
		const opus = tokens(100, 10);
		const pending = world.store.append(sampleUsage('a', 1, new Date(2026, 10, 15), { opus }));
		opus.input_tokens = 1;
		unwrap(await pending);
		expect(unwrap(world.store.usage())[0]?.usage).toEqual(tokens(100, 10));
	});
}

/** Two agents, one of them across local midnight. */
export function usageAppends(): AppendRequest[] {
	const coop = { agent: 'claude', projectId: COOP, projectPath: '/coop' };
	const barn = { agent: 'codex', projectId: BARN, projectPath: '/barn' };
	const midnight = new Date(2026, 10, 15);
	const reports = [
		sampleUsage('a', 1, new Date(midnight.getTime() - 1), { opus: tokens(100, 10) }, coop),
		sampleUsage('a', 2, midnight, { opus: tokens(150, 15), haiku: tokens(7, 1) }, coop),
		sampleUsage('b', 1, midnight, { gpt: { ...tokens(1034, 56), reasoning_tokens: 7 } }, barn),
	];
	return [...reports, sampleAppend('a', [sampleEvent('a', 3)])];
}

function sorted<Row extends { sessionId: string; day: string; model: string }>(rows: readonly Row[]): Row[] {
	const place = ({ sessionId, day, model }: Row) => `${sessionId} ${day} ${model}`;
	return [...rows].sort((a, b) => (place(a) < place(b) ? -1 : 1));
}
