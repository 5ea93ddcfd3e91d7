// The tables of runners, as every hub storage keeps them.
import type { AskRow } from '@roost/protocol/ask';
import type { RowChanges } from '@roost/protocol/hub/link-frames';
import { askId, projectId, sessionId } from '@roost/protocol/ids';
import type { LogName } from '@roost/protocol/log-cursor';
import type { SessionRow } from '@roost/protocol/session-row';
import { sampleBatch, sampleLog } from '@roost/testkit/rigs/hub/sample-log';
import { sampleAsk, sampleSession, tokens } from '@roost/testkit/rigs/record/sample-append';
import { unwrap, unwrapError } from '@roost/testkit/rigs/unwrap';
import { expect, it } from 'vitest';
import { type HubWorld, pair } from './hub-store.contract.ts';
import type { HubSessionsQuery, HubStore } from './hub-store.ts';

export function describeHubRows(createWorld: () => Promise<HubWorld>): void {
	it('lists sessions newest first, in pages and by what they are filtered for', async () => {
		await using world = await createWorld();
		const log = await pair(world.store, 'runner-1');
		const sessions = [
			sampleSession('a', { startedAt: 1, status: 'ended' }),
			sampleSession('b', { startedAt: 2, archived: true }),
			sampleSession('c', { startedAt: 2, projectId: projectId.parse('p2'), projectPath: '/other' }),
			sampleSession('d', { startedAt: 1.5, title: '\u0000 \n "quoted" \ud83d' }),
		];
		await save(world.store, log, { sessions });
		const list = async (query: HubSessionsQuery) => ids(unwrap(await world.store.rows.sessions(log.runnerId, query)));
		expect(await list({})).toEqual(['c', 'b', 'd', 'a']);
		expect(await list({ limit: 2 })).toEqual(['c', 'b']);
		expect(await list({ after: sessionId.parse('b'), limit: 2 })).toEqual(['d', 'a']);
		expect(await list({ after: sessionId.parse('unknown') })).toEqual([]);
		expect(await list({ archived: true })).toEqual(['b']);
		expect(await list({ archived: false, status: 'working' })).toEqual(['c', 'd']);
		expect(await list({ projectId: 'p2' })).toEqual(['c']);
		expect(await list({ projectPath: '/other', status: 'ended' })).toEqual([]);
		expect(unwrap(await world.store.rows.session(log.runnerId, sessionId.parse('d')))).toEqual(sessions[3]);
		expect(unwrap(await world.store.rows.session(log.runnerId, sessionId.parse('x')))).toBeUndefined();
		const other = await pair(world.store, 'runner-2');
		expect(unwrap(await world.store.rows.sessions(other.runnerId, {}))).toEqual([]);
	});

	it('lists asks, queues and usage', async () => {
		await using world = await createWorld();
		const log = await pair(world.store, 'runner-1');
		const asks = [
			sampleAsk('2', { openedAt: 2 }),
			sampleAsk('1', { openedAt: 1 }),
			sampleAsk('0', { openedAt: 3, state: 'denied' }),
		];
		const queues = [
			{ sessionId: sessionId.parse('a'), prompts: [{ id: 'p1', text: 'do it' }] },
			{ sessionId: sessionId.parse('b'), prompts: [] },
		];
		const usage = ['2026-01-03', '2026-01-01', '2026-01-02'].map((day) => usageRow(day));
		await save(world.store, log, { asks, queues, usage });
		const { rows } = world.store;
		expect(ids(unwrap(await rows.asks(log.runnerId, {})))).toEqual(['1', '2']);
		expect(unwrap(await rows.asks(log.runnerId, { all: true }))).toEqual([asks[1], asks[0], asks[2]]);
		expect(ids(unwrap(await rows.asks(log.runnerId, { all: true, id: askId.parse('0') })))).toEqual(['0']);
		expect(unwrap(await rows.asks(log.runnerId, { id: askId.parse('0') }))).toEqual([]);
		expect(unwrap(await rows.queues(log.runnerId))).toEqual([queues[0]]);
		expect(unwrap(await rows.queues(log.runnerId, sessionId.parse('b')))).toEqual([queues[1]]);
		expect(unwrap(await rows.usage(log.runnerId, {})).map(({ day }) => day)).toEqual(['2026-01-01', '2026-01-02', '2026-01-03']);
		expect(unwrap(await rows.usage(log.runnerId, { since: '2026-01-02', until: '2026-01-02' }))).toEqual([usage[2]]);
	});

	it('has the rows of the last batch that added lines, and none of an earlier epoch', async () => {
		await using world = await createWorld();
		const log = await pair(world.store, 'runner-1');
		const lines = await sampleLog('runner-1', ['s1', 's1', 's1']);
		const take = async (to: number, asks: AskRow[]) => {
			const batch = sampleBatch(log, lines.slice(0, to));
			return unwrap(await world.store.logs.take({ ...batch, rows: { ...batch.rows, asks } }));
		};
		await take(1, [sampleAsk('1')]);
		await take(3, [sampleAsk('1', { state: 'denied' }), sampleAsk('2'), sampleAsk('2', { state: 'allowed' })]);
		await take(2, [sampleAsk('1')]);
		const states = async (store: HubStore) =>
			unwrap(await store.rows.asks(log.runnerId, { all: true })).map(({ id, state }) => [id, state]);
		const store = await world.reopen();
		expect(await states(store)).toEqual([
			['1', 'denied'],
			['2', 'allowed'],
		]);
		const sessions = async () => unwrap(await store.rows.sessions(log.runnerId, {})).map(({ events }) => events);
		expect(await sessions()).toEqual([3]);
		const restored = { ...log, epoch: 2 };
		unwrap(await store.logs.openEpoch(restored, 'restored', 9));
		expect([await states(store), await sessions()]).toEqual([[], []]);
		unwrap(await store.logs.take(sampleBatch(restored, lines.slice(0, 1))));
		expect(await sessions()).toEqual([1]);
	});

	it('finds the requests and queues that a part of the current log changed last', async () => {
		await using world = await createWorld();
		const log = await pair(world.store, 'runner-1');
		const lines = await sampleLog('runner-1', ['s1', 's1', 's1']);
		for (const [at, ids] of [['1'], ['2'], ['1', '3']].entries()) {
			const batch = sampleBatch(log, lines.slice(at, at + 1));
			const queues = [{ sessionId: sessionId.parse(`q${at}`), prompts: [] }];
			unwrap(await world.store.logs.take({ ...batch, rows: { ...batch.rows, asks: ids.map((id) => sampleAsk(id)), queues } }));
		}
		const changed = async (after: number, upTo: number, of = log) => {
			const { asks, queues } = unwrap(await world.store.rows.changed(of, { after, upTo }));
			return [...asks, ...queues.map((queue) => ({ id: queue.sessionId }))].map(({ id }) => id).toSorted();
		};
		expect(await changed(0, 3)).toEqual(['1', '2', '3', 'q0', 'q1', 'q2']);
		expect(await changed(1, 3)).toEqual(['1', '2', '3', 'q1', 'q2']);
		expect(await changed(1, 2)).toEqual(['2', 'q1']);
		expect(await changed(3, 9)).toEqual([]);
		expect(await changed(0, 3, { ...log, epoch: 2 })).toEqual([]);
		unwrap(await world.store.logs.openEpoch({ ...log, epoch: 2 }, 'restored', 9));
		expect(await changed(0, 3)).toEqual([]);
	});

	it('returns rows with fields that it does not know', async () => {
		await using world = await createWorld();
		const log = await pair(world.store, 'runner-1');
		const row = { ...sampleSession('a'), status: 'sleeping', mood: { of: ['a newer', 'Roost'] } };
		await save(world.store, log, { sessions: [row] });
		expect(unwrap(await world.store.rows.session(log.runnerId, sessionId.parse('a')))).toEqual(row);
	});

	it('rejects a row whose columns cannot be stored, with its lines', async () => {
		await using world = await createWorld();
		const log = await pair(world.store, 'runner-1');
		const batch = sampleBatch(log, await sampleLog('runner-1', ['s1']));
		for (const projectPath of ['\0', '\ud800']) {
			const rows = { ...batch.rows, sessions: [sampleSession('a', { projectPath })] };
			expect(unwrapError(await world.store.logs.take({ ...batch, rows })).code).toBe('bad_request');
		}
		expect(unwrap(await world.store.logs.end(log)).lastSeqNo).toBe(0);
	});
}

/** With a line, without which rows are not stored. */
async function save(store: HubStore, log: LogName, changes: Partial<RowChanges>): Promise<void> {
	const batch = sampleBatch(log, await sampleLog(log.runnerId, ['a']));
	unwrap(await store.logs.take({ ...batch, rows: { ...batch.rows, sessions: [], ...changes } }));
}

function ids(rows: readonly (SessionRow | AskRow)[]): string[] {
	return rows.map(({ id }) => id);
}

function usageRow(day: string) {
	return { sessionId: sessionId.parse('a'), day, model: 'm', agent: 'claude', projectId: 'p', usage: tokens(1, 2) };
}
