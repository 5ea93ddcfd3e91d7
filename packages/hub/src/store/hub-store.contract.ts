// The contract of every hub storage. For any input, however often repeated, it has a prefix of each log and nothing else.
import type { LogName } from '@roost/protocol/log-cursor';
import { genesisHash, nextHash } from '@roost/store/hash-chain';
import {
	type ChainedLine,
	logOf,
	rowsAfter,
	sampleBatch,
	sampleLog,
	sampleRunner,
	toStream,
} from '@roost/testkit/rigs/hub/sample-log';
import { unwrap, unwrapError } from '@roost/testkit/rigs/unwrap';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { describeHubRows } from './hub-rows.contract.ts';
import type { HubStore } from './hub-store.ts';
import { describeHubTables } from './hub-tables.contract.ts';

export type HubWorld = AsyncDisposable & {
	store: HubStore;
	/** Closes it, and opens what it stored. */
	reopen(): Promise<HubStore>;
};

const RUNS = process.env.ROOST_SOAK === '1' ? 1_000 : 30;
const SESSIONS = ['s1', 's2', 's3'];

/** The session of each line. */
const shape = fc.array(fc.constantFrom(...SESSIONS), { minLength: 3, maxLength: 25 });
const cuts = fc.array(fc.record({ from: fc.nat(30), lines: fc.integer({ min: 1, max: 12 }) }), { maxLength: 15 });

export function describeHubStore(name: string, createWorld: () => Promise<HubWorld>): void {
	describe(name, { timeout: 240_000 }, () => {
		describeHubLogs(createWorld);
		describeHubRows(createWorld);
		describeHubTables(createWorld);
	});
}

function describeHubLogs(createWorld: () => Promise<HubWorld>): void {
	it('contains a prefix of the log after any batches, repeats and gaps, and finally all of it', async () => {
		await using world = await createWorld();
		const runners = createRunners(world.store);
		await fc.assert(
			fc.asyncProperty(shape, cuts, async (sessions, batches) => {
				const log = await runners.next();
				const lines = await sampleLog(log.runnerId, sessions);
				let known = 0;
				for (const { from, lines: count } of batches) {
					const batch = lines.slice(from, from + count);
					const taken = unwrap(await world.store.logs.take(sampleBatch(log, batch)));
					const isGap = batch.length > 0 && from > known;
					const before = known;
					if (batch.length > 0 && !isGap) known = Math.max(known, from + batch.length);
					expect(taken).toMatchObject({ isGap, lastSeqNo: known });
					expect(taken.added.map(({ seqNo }) => seqNo)).toEqual(lines.slice(before, known).map(({ seqNo }) => seqNo));
					await expectHolds(world.store, log, lines.slice(0, known));
				}
				unwrap(await world.store.logs.take(sampleBatch(log, lines)));
				await expectHolds(world.store, log, lines);
			}),
			{ numRuns: RUNS },
		);
	});

	it('contains a prefix when batches arrive at the same time', async () => {
		await using world = await createWorld();
		const runners = createRunners(world.store);
		await fc.assert(
			fc.asyncProperty(shape, cuts, async (sessions, batches) => {
				const log = await runners.next();
				const lines = await sampleLog(log.runnerId, sessions);
				const slices = batches.map(({ from, lines: count }) => lines.slice(from, from + count));
				const taken = await Promise.all(slices.map((slice) => world.store.logs.take(sampleBatch(log, slice))));
				const added = taken.flatMap((result) => unwrap(result).added.map(({ seqNo }) => seqNo));
				const known = unwrap(await world.store.logs.end(log)).lastSeqNo;
				expect(added.sort((a, b) => a - b)).toEqual(lines.slice(0, known).map(({ seqNo }) => seqNo));
				await expectHolds(world.store, log, lines.slice(0, known));
			}),
			{ numRuns: RUNS },
		);
	});

	it('rejects a whole batch if one line was changed, and accepts the original batch afterwards', async () => {
		await using world = await createWorld();
		const runners = createRunners(world.store);
		await fc.assert(
			fc.asyncProperty(shape, fc.nat(24), fc.nat(24), fc.constantFrom(...TAMPERINGS), async (sessions, known, at, tamper) => {
				const log = await runners.next();
				const lines = await sampleLog(log.runnerId, sessions);
				const before = lines.slice(0, known % lines.length);
				unwrap(await world.store.logs.take(sampleBatch(log, before)));
				const place = at % lines.length;
				const changed = lines.map((line, index) => (index === place ? tamper(line) : line));
				const refused = await world.store.logs.take(sampleBatch(log, changed));
				// Its first line may now be beyond the end.
				if (refused.ok) expect(refused.value).toMatchObject({ isGap: true, added: [] });
				else expect(['corrupt', 'bad_request']).toContain(refused.error.code);
				await expectHolds(world.store, log, before);
				unwrap(await world.store.logs.take(sampleBatch(log, lines)));
				await expectHolds(world.store, log, lines);
			}),
			{ numRuns: RUNS * 2 },
		);
	});

	it('rejects a batch with another head of a stream, also if all its lines are known', async () => {
		await using world = await createWorld();
		const log = await createRunners(world.store).next();
		const lines = await sampleLog(log.runnerId, ['s1', 's2', 's1']);
		const batch = sampleBatch(log, lines);
		const wrong = { ...batch, heads: new Map(batch.heads).set(toStream('s2'), nextHash('', 'x')) };
		const missing = { ...batch, heads: new Map([...batch.heads].slice(1)) };
		for (const known of [[], lines]) {
			unwrap(await world.store.logs.take(sampleBatch(log, known)));
			for (const changed of [wrong, missing]) {
				const error = unwrapError(await world.store.logs.take(changed));
				expect(error).toMatchObject({ code: 'corrupt', message: expect.stringContaining('Run "roost verify" on the machine') });
			}
			await expectHolds(world.store, log, known);
		}
	});

	it('rejects a skipped offset, even with a matching chain and line', async () => {
		await using world = await createWorld();
		const log = await createRunners(world.store).next();
		const [first, second] = await sampleLog(log.runnerId, ['s1', 's1']);
		if (first === undefined || second === undefined) throw new Error('nothing was recorded');
		const line = second.line.replace('"offset":2', '"offset":3');
		const skipping = { ...second, offset: 3, line, hash: nextHash(first.hash, line) };
		expect(unwrapError(await world.store.logs.take(sampleBatch(log, [first, skipping])))).toMatchObject({
			code: 'corrupt',
			message: expect.stringContaining('its offset does not follow 1'),
		});
		await expectHolds(world.store, log, []);
	});

	it('rejects a text of two lines, and one that a database cannot store', async () => {
		await using world = await createWorld();
		const log = await createRunners(world.store).next();
		const [first] = await sampleLog(log.runnerId, ['s1']);
		if (first === undefined) throw new Error('nothing was recorded');
		for (const extra of ['\n', '\0', '\ud800']) {
			const line = `${first.line}${extra}`;
			const changed = { ...first, line, hash: nextHash(genesisHash(first.stream), line) };
			const error = unwrapError(await world.store.logs.take(sampleBatch(log, [changed])));
			expect(error).toMatchObject({ code: 'corrupt', message: expect.stringContaining('not one line of text') });
		}
		await expectHolds(world.store, log, []);
	});

	it('keeps lines of any text as they are', async () => {
		await using world = await createWorld();
		const log = await createRunners(world.store).next();
		const text = `'"\\ \t {"a":[1,null]} $1 %s 💚 é \u2028 \\u0000 \\n`;
		const lines = await sampleLog(log.runnerId, ['s1', 's 2', text, '{},"\\'], `${text}\u0000\n\ud800`);
		unwrap(await world.store.logs.take(sampleBatch(log, lines)));
		await expectHolds(world.store, log, lines);
	});

	it('keeps the logs of different runners and epochs separate, and reads all of them after reopening', async () => {
		await using world = await createWorld();
		const [one, other] = [await pair(world.store, 'runner-1'), await pair(world.store, 'runner-2')];
		const [first, second] = [
			await sampleLog('runner-1', ['s1', 's2', 's1']),
			await sampleLog('runner-1', ['s2', 's2'], ' again'),
		];
		unwrap(await world.store.logs.take(sampleBatch(one, first)));
		expect(unwrapError(await world.store.logs.take(sampleBatch(one, second)))).toMatchObject({
			code: 'corrupt',
			message: expect.stringContaining('another line is stored there'),
		});
		const restored = { ...one, epoch: 2 };
		unwrap(await world.store.logs.openEpoch(restored, 'restored from a backup', 5));
		unwrap(await world.store.logs.take(sampleBatch(restored, second)));
		const store = await world.reopen();
		await expectLines(store, one, first);
		await expectHolds(store, restored, second);
		await expectHolds(store, other, []);
		expect(unwrap(await store.logs.current(one.runnerId))).toEqual(restored);
	});

	it('stores lines only in the newest epoch of a paired runner', async () => {
		await using world = await createWorld();
		const log = await pair(world.store, 'runner-1');
		const lines = await sampleLog('runner-1', ['s1', 's1']);
		unwrap(await world.store.logs.take(sampleBatch(log, lines.slice(0, 1))));
		const newer = { ...log, epoch: 3 };
		unwrap(await world.store.logs.openEpoch(newer, 'restored', 5));
		unwrap(await world.store.logs.openEpoch(newer, 'again', 6));
		const refused = [
			await world.store.logs.take(sampleBatch(log, lines)),
			await world.store.logs.take(sampleBatch({ ...log, epoch: 4 }, lines)),
			await world.store.logs.openEpoch({ ...log, epoch: 2 }, 'late', 7),
		];
		expect(refused.map((result) => unwrapError(result).code)).toEqual(['conflict', 'conflict', 'conflict']);
		await expectLines(world.store, log, lines.slice(0, 1));
		expect(unwrap(await world.store.logs.current(log.runnerId))).toEqual(newer);
		const unknown = logOf('runner-9');
		expect(unwrap(await world.store.logs.current(unknown.runnerId))).toBeUndefined();
		expect(unwrap(await world.store.logs.end(unknown))).toEqual({ lastSeqNo: 0, at: null });
		expect(unwrapError(await world.store.logs.openEpoch(unknown, 'first', 1))).toMatchObject({
			code: 'not_found',
			message: expect.stringContaining('roost join'),
		});
	});

	it('reads pages of a stream and of the whole log', async () => {
		await using world = await createWorld();
		const log = await pair(world.store, 'runner-1');
		unwrap(await world.store.logs.take(sampleBatch(log, await sampleLog('runner-1', ['s1', 's2', 's3', 's1', 's2', 's1']))));
		const places = async (query: Parameters<HubStore['logs']['read']>[1]) =>
			unwrap(await world.store.logs.read(log, query)).map(({ seqNo, stream, offset }) => [seqNo, stream, offset]);
		expect(await places({ afterSeqNo: 1, limit: 2 })).toEqual([
			[2, 's2', 1],
			[3, 's3', 1],
		]);
		expect(await places({ stream: toStream('s1'), after: 1, limit: 5 })).toEqual([
			[4, 's1', 2],
			[6, 's1', 3],
		]);
		expect(await places({ stream: toStream('s1'), after: 0, limit: 1 })).toEqual([[1, 's1', 1]]);
		expect(await places({ stream: toStream('unknown'), after: 0, limit: 1 })).toEqual([]);
		expect(unwrapError(await world.store.logs.read(log, { afterSeqNo: -1, limit: 1 })).code).toBe('bad_request');
		const offsets = ['s1', 's2', 'unknown'].map((name) => world.store.logs.lastOffset(log, toStream(name)));
		expect((await Promise.all(offsets)).map(unwrap)).toEqual([3, 2, 0]);
	});

	it('fails after it was closed', async () => {
		await using world = await createWorld();
		await world.store[Symbol.asyncDispose]();
		expect(unwrapError(await world.store.runners.list()).code).toBe('store_unavailable');
	});
}

/** A new log for each run of a property. */
function createRunners(store: HubStore) {
	let count = 0;
	return { next: () => pair(store, `runner-${++count}`) };
}

export async function pair(store: Pick<HubStore, 'runners' | 'logs'>, runner: string): Promise<LogName> {
	const log = logOf(runner);
	unwrap(await store.runners.pair(sampleRunner(runner)));
	unwrap(await store.logs.openEpoch(log, 'the log began', 1_000));
	return log;
}

async function expectHolds(store: HubStore, log: LogName, lines: readonly ChainedLine[]): Promise<void> {
	await expectLines(store, log, lines);
	const stored = unwrap(await store.rows.sessions(log.runnerId, {}));
	const rows = rowsAfter(lines);
	expect(stored.toSorted(byId)).toEqual(rows.toSorted(byId));
}

async function expectLines(store: HubStore, log: LogName, lines: readonly ChainedLine[]): Promise<void> {
	const entries = lines.map(({ hash: _, ...entry }) => entry);
	expect(unwrap(await store.logs.read(log, { afterSeqNo: 0, limit: 100 }))).toEqual(entries);
	const last = lines.at(-1);
	const at = last === undefined ? null : { stream: last.stream, offset: last.offset, hash: last.hash };
	expect(unwrap(await store.logs.end(log))).toEqual({ lastSeqNo: lines.length, at });
}

function byId(a: { id: string }, b: { id: string }): number {
	return a.id < b.id ? -1 : 1;
}

const TAMPERINGS: ((line: ChainedLine) => ChainedLine)[] = [
	(line) => ({ ...line, line: line.line.replace('do thing', 'do other') }),
	(line) => ({ ...line, offset: line.offset + 1 }),
	(line) => ({ ...line, seqNo: line.seqNo + 1 }),
	(line) => ({ ...line, stream: toStream('elsewhere') }),
	// With a matching hash, but the line itself contains another position.
	(line) => ({ ...line, stream: toStream('new'), offset: 1, hash: nextHash(genesisHash('new'), line.line) }),
];
