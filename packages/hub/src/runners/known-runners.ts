// The runners that were paired, in memory: where their logs end, whether they are connected, and who follows their updates.
import type { BackendUpdate } from '@roost/gateway/operations/backend';
import { createListeners, warnOfFailure } from '@roost/machine/listeners';
import type { FeedEvent } from '@roost/protocol/feed/event';
import type { Accepts } from '@roost/protocol/hub/accepts';
import type { LinkCall, LinkOutcome, TerminalOpen } from '@roost/protocol/hub/link-frames';
import { type RunnerId, type StreamId, sessionStream } from '@roost/protocol/ids';
import type { LogName } from '@roost/protocol/log-cursor';
import { ok, type Result } from '@roost/protocol/result';
import type { Bus } from '../bus/bus.ts';
import type { HubRunner, HubStore, RunnerHead } from '../store/hub-store.ts';
import { createLogFollower } from './follow-log.ts';
import { createInterest, type Interest } from './interest.ts';
import {
	callElsewhere,
	deltasOf,
	interestIn,
	type LinesHint,
	linesOf,
	openElsewhere,
	readDelta,
	readLinesText,
	toLinesText,
} from './runner-bus.ts';
import type { RunnerLink } from './runner-link.ts';

export type KnownRunner = {
	readonly id: RunnerId;
	row: HubRunner;
	/** Its current log; undefined before its first connection. */
	readonly log: LogName | undefined;
	readonly lastSeqNo: number;
	/** The last line that the runner has, as far as it said. */
	announced: number;
	/** While it is connected here. */
	link: RunnerLink | undefined;
	/** The number of its newest connection, here or at another node. */
	links: number;
	/** The node that it is connected to, while that is another one, and the number of that connection. */
	elsewhere: { node: string; links: number } | undefined;
	readonly isOnline: boolean;
	accepts: Accepts | undefined;
	/** When it came or went. */
	since: number;
	onUpdate(handler: (update: BackendUpdate) => void): () => void;
	/** The database has its log up to here. */
	reached(log: LogName, lastSeqNo: number): void;
	/** Lines that this node has just stored; other nodes get them too. */
	stored(log: LogName, lines: LinesHint): void;
	/** From the runner, not stored. */
	delta(event: FeedEvent): void;
	/** Streams whose deltas somebody watches. */
	watch(stream: StreamId): () => void;
	readonly interest: Pick<Interest, 'own' | 'all' | 'take' | 'age'>;
	/** To the node that has its connection; undefined, at once, if none has. */
	call(call: LinkCall): Promise<LinkOutcome | undefined>;
	/** Asks it to join the channel of a terminal. */
	openTerminal(open: TerminalOpen): Promise<Result<void>>;
};

export type KnownRunners = {
	list(): KnownRunner[];
	find(id: string): KnownRunner | undefined;
	/** Also one that was revoked. */
	known(id: string): KnownRunner | undefined;
	/** Reads it again, for example after it was paired. */
	refresh(id: RunnerId): Promise<Result<KnownRunner | undefined>>;
};

export type KnownRunnersDeps = {
	store: Pick<HubStore, 'runners' | 'logs' | 'rows'>;
	bus: Bus;
	/** The id of this node. */
	node: string;
	/** How long a call at another node may take. */
	requestMs?: number;
	warn: (sentence: string) => void;
};

export async function loadRunners(deps: KnownRunnersDeps): Promise<Result<KnownRunners>> {
	const { store } = deps;
	const known = new Map<string, KnownRunner>();

	function take(row: HubRunner): KnownRunner {
		const runner = known.get(row.id) ?? createKnownRunner(row, deps);
		runner.row = row;
		known.set(row.id, runner);
		return runner;
	}

	const [rows, heads] = await Promise.all([store.runners.list(), store.runners.heads()]);
	if (!rows.ok) return rows;
	if (!heads.ok) return heads;
	const ends = new Map<string, RunnerHead>(heads.value.map((head) => [head.id, head]));
	for (const row of rows.value) {
		const { epoch, lastSeqNo = 0, links = 0 } = ends.get(row.id) ?? {};
		const runner = take(row);
		runner.links = links;
		if (epoch !== undefined) runner.reached({ runnerId: row.id, epoch }, lastSeqNo);
	}
	return ok({
		list: () => [...known.values()].filter(({ row }) => row.revokedAt === null),
		find(id) {
			const runner = known.get(id);
			return runner?.row.revokedAt === null ? runner : undefined;
		},
		known: (id) => known.get(id),
		async refresh(id) {
			const row = await store.runners.find(id);
			if (!row.ok || !row.value) return row.ok ? ok(undefined) : row;
			const log = await store.logs.current(id);
			if (!log.ok) return log;
			const end = log.value ? await store.logs.end(log.value) : ok({ lastSeqNo: 0 });
			if (!end.ok) return end;
			const runner = take(row.value);
			if (log.value) runner.reached(log.value, end.value.lastSeqNo);
			return ok(runner);
		},
	});
}

const NOTHING: BackendUpdate = { entries: [], deltas: [], asks: [], prompts: [], changed: [] };
const REQUEST_MS = 30_000;

function createKnownRunner(row: HubRunner, { store, bus, node, requestMs = REQUEST_MS, warn }: KnownRunnersDeps): KnownRunner {
	const { id } = row;
	const handlers = createListeners<[BackendUpdate]>();
	const follower = createLogFollower({ store, isWatched: () => handlers.size() > 0, emit, warn });
	const interest = createInterest({
		onOwn: () => bus.publish(interestIn(id), JSON.stringify({ node, streams: interest.own() })),
		onAll: () => runner.link?.setInterest(interest.all()),
	});
	let follows: (() => void)[] = [];

	function emit(update: Partial<BackendUpdate>): void {
		for (const error of handlers.emit({ ...NOTHING, ...update })) warnOfFailure('A listener of a runner', error);
	}

	/** From other nodes, while somebody here follows the runner. */
	function follow(): (() => void)[] {
		return [
			bus.subscribe(linesOf(id), (text) => {
				const lines = readLinesText(text);
				if (lines) follower.take({ runnerId: id, epoch: lines.epoch }, lines);
			}),
			bus.subscribe(deltasOf(id), (text) => {
				const event = readDelta(text);
				if (event) emit({ deltas: [event] });
			}),
		];
	}

	const runner: KnownRunner = {
		id,
		row,
		get log() {
			return follower.log();
		},
		get lastSeqNo() {
			return follower.lastSeqNo();
		},
		announced: 0,
		link: undefined,
		links: 0,
		elsewhere: undefined,
		get isOnline() {
			return runner.link !== undefined || runner.elsewhere !== undefined;
		},
		accepts: undefined,
		since: row.lastSeenAt,
		onUpdate(handler) {
			const remove = handlers.add(handler);
			if (handlers.size() === 1) follows = follow();
			let isOver = false;
			return () => {
				if (isOver) return;
				isOver = true;
				remove();
				if (handlers.size() > 0) return;
				for (const end of follows) end();
				follows = [];
			};
		},
		reached: follower.reached,
		stored(log, lines) {
			follower.take(log, lines);
			bus.publish(linesOf(id), toLinesText(lines));
		},
		delta(event) {
			emit({ deltas: [event] });
			if (interest.isElsewhere(sessionStream(event.session_id))) bus.publish(deltasOf(id), JSON.stringify(event));
		},
		watch: interest.watch,
		interest,
		call: (call) => (runner.link ? runner.link.request(call) : callElsewhere(bus, id, call, requestMs)),
		async openTerminal(open) {
			if (!runner.link) return await openElsewhere(bus, id, open);
			runner.link.openTerminal(open);
			return ok(undefined);
		},
	};
	return runner;
}
