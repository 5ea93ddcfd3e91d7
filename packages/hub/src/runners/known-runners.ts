// The runners that were paired, in memory: where their logs end, whether they are here, and who follows their updates.
import type { BackendUpdate } from '@roost/gateway/operations/backend';
import { createListeners, warnOfFailure } from '@roost/machine/listeners';
import type { Accepts } from '@roost/protocol/hub/accepts';
import type { RunnerId, StreamId } from '@roost/protocol/ids';
import type { LogName } from '@roost/protocol/log-cursor';
import { ok, type Result } from '@roost/protocol/result';
import type { HubRunner, HubStore, ReplicaEnd } from '../store/hub-store.ts';
import type { RunnerLink } from './runner-link.ts';

export type KnownRunner = {
	readonly id: RunnerId;
	row: HubRunner;
	/** Its current log; undefined before its first connection. */
	log: LogName | undefined;
	lastSeqNo: number;
	/** The last line that the runner has, as far as it said. */
	announced: number;
	/** While it is connected here. */
	link: RunnerLink | undefined;
	accepts: Accepts | undefined;
	/** When it came or went. */
	since: number;
	onUpdate(handler: (update: BackendUpdate) => void): () => void;
	emit(update: Partial<BackendUpdate>): void;
	/** Streams whose deltas somebody watches. */
	watch(stream: StreamId): () => void;
};

export type KnownRunners = {
	list(): KnownRunner[];
	find(id: string): KnownRunner | undefined;
	/** Reads it again, for example after it was paired. */
	refresh(id: RunnerId): Promise<Result<KnownRunner | undefined>>;
};

export async function loadRunners({ store }: { store: Pick<HubStore, 'runners' | 'logs'> }): Promise<Result<KnownRunners>> {
	const known = new Map<string, KnownRunner>();

	async function take(row: HubRunner): Promise<Result<KnownRunner>> {
		const log = await store.logs.current(row.id);
		if (!log.ok) return log;
		const end: Result<Pick<ReplicaEnd, 'lastSeqNo'>> = log.value ? await store.logs.end(log.value) : ok({ lastSeqNo: 0 });
		if (!end.ok) return end;
		const before = known.get(row.id);
		const runner = before ?? createKnownRunner(row);
		Object.assign(runner, { row, log: log.value, lastSeqNo: Math.max(end.value.lastSeqNo, sameLog(before, log.value)) });
		known.set(row.id, runner);
		return ok(runner);
	}

	const rows = await store.runners.list();
	if (!rows.ok) return rows;
	for (const row of rows.value) {
		const taken = await take(row);
		if (!taken.ok) return taken;
	}
	return ok({
		list: () => [...known.values()].filter(({ row }) => row.revokedAt === null),
		find(id) {
			const runner = known.get(id);
			return runner?.row.revokedAt === null ? runner : undefined;
		},
		async refresh(id) {
			const row = await store.runners.find(id);
			if (!row.ok || !row.value) return row.ok ? ok(undefined) : row;
			return await take(row.value);
		},
	});
}

/** A batch may be stored while the end is read. */
function sameLog(before: KnownRunner | undefined, log: LogName | undefined): number {
	return before?.log?.epoch === log?.epoch ? (before?.lastSeqNo ?? 0) : 0;
}

const NOTHING: BackendUpdate = { entries: [], deltas: [], asks: [], prompts: [], changed: [] };

function createKnownRunner(row: HubRunner): KnownRunner {
	const handlers = createListeners<[BackendUpdate]>();
	const watched = new Map<StreamId, number>();
	const runner: KnownRunner = {
		id: row.id,
		row,
		log: undefined,
		lastSeqNo: 0,
		announced: 0,
		link: undefined,
		accepts: undefined,
		since: row.lastSeenAt,
		onUpdate: handlers.add,
		emit(update) {
			for (const error of handlers.emit({ ...NOTHING, ...update })) warnOfFailure('A listener of a runner', error);
		},
		watch(stream) {
			watched.set(stream, (watched.get(stream) ?? 0) + 1);
			runner.link?.setInterest([...watched.keys()]);
			return () => {
				const left = (watched.get(stream) ?? 1) - 1;
				if (left > 0) watched.set(stream, left);
				else watched.delete(stream);
				runner.link?.setInterest([...watched.keys()]);
			};
		},
	};
	return runner;
}
