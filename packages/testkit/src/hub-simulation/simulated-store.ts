// The database of the simulated hub: the product's own `take` over tables in memory, where each statement is one step.
import type { Head } from '@roost/hub/store/check-batch';
import type { PlacedBatch, ReplicaEnd, Taken } from '@roost/hub/store/hub-store';
import { type CheckedLines, createTake, type LogWriter, type Written } from '@roost/hub/store/take-batch';
import { AppError } from '@roost/protocol/app-error';
import { type RunnerId, runnerId, type StreamId } from '@roost/protocol/ids';
import type { LogName } from '@roost/protocol/log-cursor';
import type { LogEntry } from '@roost/protocol/log-entry';
import { err, ok, type Result } from '@roost/protocol/result';
import type { World } from './bugs.ts';

export const RUNNER: RunnerId = runnerId.parse('runner-1');

type Log = { lines: LogEntry[]; heads: Map<StreamId, Head>; isEnded: boolean };

export type SimulatedStore = ReturnType<typeof createSimulatedStore>;

export function createSimulatedStore({ step, bug, chance }: World) {
	const logs = new Map<number, Log>([[1, { lines: [], heads: new Map(), isEnded: false }]]);
	const commands = new Map<string, 'open' | 'done'>();
	const logOf = ({ epoch }: LogName) => logs.get(epoch);
	const current = (): LogName => ({ runnerId: RUNNER, epoch: Math.max(...logs.keys()) });

	function endOf(log: Log | undefined): ReplicaEnd {
		const last = log?.lines.at(-1);
		if (!log || !last) return { lastSeqNo: 0, at: null };
		const { stream, offset, seqNo } = last;
		return { lastSeqNo: seqNo, at: { stream, offset, hash: log.heads.get(stream)?.hash ?? '' } };
	}

	/** As the function of the database does it, with its row locked. */
	function write({ logNo, expected, lines, heads }: CheckedLines): Written {
		const log = logs.get(logNo);
		if (!log || log.isEnded) return { outcome: 'ended' };
		const last = bug === 'cursor without lock' ? expected : (log.lines.at(-1)?.seqNo ?? 0);
		const end = lines.at(-1)?.seqNo ?? 0;
		if (last !== expected && end > last) return { outcome: 'moved' };
		const different = lines.find(({ seqNo, line }) => seqNo <= last && log.lines[seqNo - 1]?.line !== line);
		if (different && bug !== 'cursor without lock') return { outcome: 'differs', seqNo: different.seqNo };
		if (end <= last) return { outcome: 'known' };
		log.lines.push(...lines.filter(({ seqNo }) => seqNo > last));
		for (const [stream, head] of heads) log.heads.set(stream, head);
		return { outcome: 'taken' };
	}

	const writer: LogWriter = {
		async state(name, streams) {
			await step('read the end');
			const log = logOf(name);
			if (!log || log.isEnded) return undefined;
			const heads = new Map(
				streams.flatMap((stream) => (log.heads.has(stream) ? [[stream, log.heads.get(stream) as Head]] : [])),
			);
			return { logNo: name.epoch, lastSeqNo: log.lines.at(-1)?.seqNo ?? 0, heads };
		},
		async write(lines) {
			await step('commit');
			return write(lines);
		},
	};
	const take = createTake(writer, async (name) => endOf(logOf(name)));

	/** Planted: what follows a gap is stored. */
	async function takeAnyway({ log: name, lines, heads }: PlacedBatch): Promise<Taken> {
		await step('commit');
		const log = logOf(name);
		const added = lines.filter(({ seqNo }) => seqNo > (log?.lines.at(-1)?.seqNo ?? 0));
		log?.lines.push(...added);
		const last = new Map(lines.map((line) => [line.stream, line]));
		for (const [stream, { offset }] of last) log?.heads.set(stream, { offset, hash: heads.get(stream) ?? '' });
		return { ...endOf(log), isGap: false, added };
	}

	return {
		current,
		endOf: (name: LogName) => endOf(logOf(name)),
		lines: (epoch: number): readonly LogEntry[] => logs.get(epoch)?.lines ?? [],
		epochs: () => [...logs.keys()],
		commands,
		async take(batch: PlacedBatch): Promise<Result<Taken>> {
			if (chance(0.1)) {
				await step('the database fails');
				return err(new AppError('store_unavailable', 'No.'));
			}
			try {
				return ok(await (bug === 'gap accepted' ? takeAnyway(batch) : take(batch)));
			} catch (cause) {
				if (cause instanceof AppError) return err(cause);
				throw cause;
			}
		},
		openEpoch({ epoch }: LogName): void {
			if (bug === 'epoch ignored' || epoch <= current().epoch) return;
			for (const log of logs.values()) log.isEnded = true;
			logs.set(epoch, { lines: [], heads: new Map(), isEnded: false });
		},
		async read(name: LogName, after: number, limit: number): Promise<LogEntry[]> {
			await step('read a page');
			return (logOf(name)?.lines ?? []).slice(after, after + limit);
		},
	};
}
