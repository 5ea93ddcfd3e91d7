// The contract of every replica of logs: for any input, however often repeated, it stores a prefix of each log and nothing else.
import { runnerId, streamId } from '@roost/protocol/ids';
import type { LogName } from '@roost/protocol/log-cursor';
import { sampleAppend, sampleEvent } from '@roost/testkit/rigs/record/sample-append';
import { unwrap, unwrapError } from '@roost/testkit/rigs/unwrap';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { genesisHash, nextHash } from './hash-chain.ts';
import { createMemoryStore } from './memory-store.ts';
import type { PlacedLine, ReplicaLog } from './replica-log.ts';

export type ReplicaWorld = AsyncDisposable & {
	log: ReplicaLog;
	/** The stored log, opened again. */
	reopened(): Promise<ReplicaLog>;
};

const RUNS = process.env.ROOST_SOAK === '1' ? 1_000 : 40;
const NAME: LogName = { runnerId: runnerId.parse('runner-1'), epoch: 1 };
const STREAMS = ['s1', 's2', 's3'];

/** The stream of each line. */
const shape = fc.array(fc.nat(STREAMS.length - 1), { minLength: 3, maxLength: 25 });
const cuts = fc.array(fc.record({ from: fc.nat(30), lines: fc.integer({ min: 1, max: 12 }) }), { maxLength: 15 });

export function describeReplicaLog(name: string, createWorld: () => Promise<ReplicaWorld>): void {
	describe(name, { timeout: 60_000 }, () => {
		it('contains a prefix of the log after any batches, repeats and gaps, and finally all of it', async () => {
			await fc.assert(
				fc.asyncProperty(shape, cuts, async (streams, batches) => {
					await using world = await createWorld();
					const lines = await record(streams);
					let known = 0;
					for (const { from, lines: count } of batches) {
						const batch = lines.slice(from, from + count);
						const taken = await world.log.ingest({ log: NAME, lines: batch });
						if (batch.length > 0 && from > known)
							expect(unwrapError(taken)).toMatchObject({ code: 'conflict', message: sendAgainFrom(known + 1) });
						else if (batch.length > 0) known = Math.max(known, from + batch.length);
						else unwrap(taken);
						await expectHolds(world.log, lines.slice(0, known));
					}
					unwrap(await world.log.ingest({ log: NAME, lines }));
					await expectHolds(await world.reopened(), lines);
				}),
				{ numRuns: RUNS },
			);
		});

		it('rejects a whole batch if one line was changed, and accepts the original batch afterwards', async () => {
			await fc.assert(
				fc.asyncProperty(shape, fc.nat(24), fc.nat(24), fc.nat(TAMPERINGS.length - 1), async (streams, known, at, how) => {
					await using world = await createWorld();
					const lines = await record(streams);
					const before = lines.slice(0, known % lines.length);
					unwrap(await world.log.ingest({ log: NAME, lines: before }));
					const changed = tamper(lines, at % lines.length, how);
					const refused = unwrapError(await world.log.ingest({ log: NAME, lines: changed }));
					expect(['corrupt', 'bad_request', 'conflict']).toContain(refused.code);
					await expectHolds(await world.reopened(), before);
					unwrap(await world.log.ingest({ log: NAME, lines }));
					await expectHolds(world.log, lines);
				}),
				{ numRuns: RUNS * 2 },
			);
		});

		it('keeps the logs of different runners and epochs separate', async () => {
			await using world = await createWorld();
			const [first, second] = [await record([0, 1, 0]), await record([1, 1])];
			const restored = { ...NAME, epoch: 2 };
			const other = { ...NAME, runnerId: runnerId.parse('runner-2') };
			unwrap(await world.log.ingest({ log: NAME, lines: first }));
			unwrap(await world.log.ingest({ log: restored, lines: second }));
			expect(unwrapError(await world.log.ingest({ log: other, lines: first.slice(1) }))).toMatchObject({ code: 'conflict' });
			await expectHolds(world.log, first);
			await expectHolds(world.log, second, restored);
			await expectHolds(world.log, [], other);
			// A log that continues from a backup is not the known one: its lines have other hashes.
			const diverged = unwrapError(await world.log.ingest({ log: NAME, lines: second }));
			expect(diverged).toMatchObject({ code: 'corrupt', message: expect.stringContaining('another line is stored there') });
		});

		it('rejects a skipped offset, even with a matching hash and line', async () => {
			await using world = await createWorld();
			const [first, second] = await record([0, 0]);
			if (first === undefined || second === undefined) throw new Error('nothing was recorded');
			const line = second.line.replace('"offset":2', '"offset":3');
			const skipping = { ...second, offset: 3, line, hash: nextHash(first.hash, line) };
			expect(unwrapError(await world.log.ingest({ log: NAME, lines: [first, skipping] }))).toMatchObject({
				code: 'corrupt',
				message: expect.stringContaining('its offset does not follow 1'),
			});
			await expectHolds(world.log, []);
		});

		it('reads pages from any seqNo', async () => {
			await using world = await createWorld();
			const lines = await record([0, 1, 2, 0, 1]);
			unwrap(await world.log.ingest({ log: NAME, lines }));
			const page = unwrap(await world.log.read({ log: NAME, after: 1, limit: 2 }));
			expect(page.map(({ seqNo, stream, offset }) => [seqNo, stream, offset])).toEqual([
				[2, 's2', 1],
				[3, 's3', 1],
			]);
		});
	});
}

const sendAgainFrom = (seqNo: number) => expect.stringMatching(new RegExp(`Send again from ${seqNo}\\.$`));

async function expectHolds(log: ReplicaLog, lines: readonly PlacedLine[], name = NAME): Promise<void> {
	expect(unwrap(await log.read({ log: name, after: 0, limit: 100 }))).toEqual(lines.map(({ hash: _, ...entry }) => entry));
	const last = lines.at(-1);
	const at = last === undefined ? null : { stream: last.stream, offset: last.offset, hash: last.hash };
	expect(unwrap(await log.end(name))).toEqual({ lastSeqNo: lines.length, at });
}

/** The lines of a runner, with the hashes of its chains. */
async function record(streams: readonly number[]): Promise<PlacedLine[]> {
	await using store = createMemoryStore();
	for (const [at, stream] of streams.entries()) {
		const name = STREAMS[stream] ?? '';
		unwrap(await store.append(sampleAppend(name, [sampleEvent(name, at + 1)], { runnerId: NAME.runnerId })));
	}
	const heads = new Map<string, string>();
	return unwrap(store.read({ afterSeqNo: 0, limit: 1_000 })).map((entry) => {
		const hash = nextHash(heads.get(entry.stream) ?? genesisHash(entry.stream), entry.line);
		heads.set(entry.stream, hash);
		return { ...entry, hash };
	});
}

const TAMPERINGS: ((line: PlacedLine) => PlacedLine)[] = [
	(line) => ({ ...line, line: line.line.replace('do thing', 'do other') }),
	(line) => ({ ...line, hash: nextHash(line.hash, 'x') }),
	(line) => ({ ...line, offset: line.offset + 1 }),
	(line) => ({ ...line, seqNo: line.seqNo + 1 }),
	(line) => ({ ...line, stream: streamId.parse('elsewhere') }),
	// With a matching hash, but the line itself contains another position.
	(line) => ({ ...line, stream: streamId.parse('new'), offset: 1, hash: nextHash(genesisHash('new'), line.line) }),
];

function tamper(lines: readonly PlacedLine[], at: number, how: number): PlacedLine[] {
	return lines.map((line, index) => (index === at ? (TAMPERINGS[how]?.(line) ?? line) : line));
}
