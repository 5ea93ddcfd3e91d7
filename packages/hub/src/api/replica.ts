// The record of one runner, answered from the replica, also while the runner is away.

import { isAbsolute } from 'node:path';
import { groupUsage } from '@roost/core/usage/group-usage';
import { lastTitle } from '@roost/core/views/last-title';
import type { StoredLog } from '@roost/gateway/operations/backend';
import type { StreamBackend } from '@roost/gateway/operations/served-runner';
import type { Driving } from '@roost/protocol/api/driving';
import { AppError } from '@roost/protocol/app-error';
import type { Contract } from '@roost/protocol/contract/contract';
import type { Handler, HandlerInput } from '@roost/protocol/contract/operation';
import { type SessionId, sessionStream } from '@roost/protocol/ids';
import { err, ok, type Result } from '@roost/protocol/result';
import type { SessionRow, SessionTile } from '@roost/protocol/session-row';
import type { KnownRunner } from '../runners/known-runners.ts';
import { searchLog } from '../search/search-log.ts';
import type { HubRows, HubSessionsQuery, HubStore } from '../store/hub-store.ts';

type Deps = { runner: KnownRunner; store: Pick<HubStore, 'logs' | 'rows' | 'words'> };

/** Nothing is stored before the first connection of a runner. */
export function replicaLog({ runner, store }: Deps): StoredLog {
	return {
		read: (query) => (runner.log ? store.logs.read(runner.log, query) : ok([])),
		lastOffset: (stream) => (runner.log ? store.logs.lastOffset(runner.log, stream) : ok(0)),
		epoch: () => ok(runner.log?.epoch ?? 1),
		head: () => ok(runner.lastSeqNo),
	};
}

export function replicaStream({ runner, store }: Deps): StreamBackend {
	const log = replicaLog({ runner, store });
	return {
		get runner() {
			const { id, name, version } = runner.row;
			return { id, name, version };
		},
		log,
		sessionRows: {
			page: async ({ after, limit }) => withTitles(log, await store.rows.sessions(runner.id, { after, limit, archived: false })),
			of: async (ids) => withTitles(log, await readSessions(store.rows, runner, ids)),
		},
		async pending() {
			const [asks, queues] = await Promise.all([store.rows.asks(runner.id, {}), store.rows.queues(runner.id)]);
			return { asks: asks.ok ? asks.value : [], prompts: queues.ok ? queues.value : [], enforced: [] };
		},
		onUpdate: runner.onUpdate,
		watch: runner.watch,
		screens: {
			attach: () => err(new AppError('not_found', 'The terminals of this runner are on its own machine.')),
		},
	};
}

/** The operations that the record answers, as far as the replica has what they need. */
type RecordHandlers = {
	record: Pick<{ [K in keyof Contract['record']]: Handler<Contract['record'][K]> }, 'sessions' | 'session' | 'search' | 'usage'>;
	asks: Pick<{ [K in keyof Contract['asks']]: Handler<Contract['asks'][K]> }, 'list'>;
	queue: Pick<{ [K in keyof Contract['queue']]: Handler<Contract['queue'][K]> }, 'list'>;
};

export function replicaHandlers({ runner, store }: Deps): RecordHandlers {
	const { rows } = store;
	const log = replicaLog({ runner, store });
	return {
		record: {
			async sessions({ cursor: after, projectId, limit, ...query }) {
				const found = await rows.sessions(runner.id, { ...query, ...toProject(projectId), after, limit });
				// A title is a read of the log: too much for a list without a limit.
				return limit === undefined ? found : await withTitles(log, found);
			},
			async session({ id }) {
				const found = await rows.session(runner.id, id);
				if (!found.ok) return found;
				if (!found.value) return err(new AppError('not_found', `Session "${id}" not found on this runner.`));
				return ok({ ...found.value, driving: describeDriving(found.value) });
			},
			search: (query) => searchLog(store.words, runner.log, query),
			usage: (query) => readUsage(rows, runner, query),
		},
		asks: { list: ({ all = false }) => rows.asks(runner.id, { all }) },
		queue: {
			async list({ id }) {
				const found = await rows.queues(runner.id, id);
				return found.ok ? ok(found.value[0]?.prompts ?? []) : found;
			},
		},
	};
}

function toProject(named: string | undefined): Pick<HubSessionsQuery, 'projectId' | 'projectPath'> {
	if (named === undefined) return {};
	return isAbsolute(named) ? { projectPath: named } : { projectId: named };
}

function describeDriving({ driven, status }: SessionRow): Driving {
	if (!driven) return { takesPrompts: false, why: 'Roost only observes this session: its agent was started in a terminal.' };
	if (status === 'ended') return { takesPrompts: false, why: 'This session has ended. Resume it first.' };
	// While the runner is away, the hub keeps prompts for it.
	return { takesPrompts: true };
}

async function readSessions(rows: HubRows, { id }: KnownRunner, ids: readonly SessionId[]): Promise<Result<SessionRow[]>> {
	const found: SessionRow[] = [];
	for (const one of ids) {
		const row = await rows.session(id, one);
		if (!row.ok) return row;
		if (row.value) found.push(row.value);
	}
	return ok(found);
}

async function withTitles(log: StoredLog, rows: Result<SessionRow[]>): Promise<Result<SessionTile[]>> {
	if (!rows.ok) return rows;
	const tiles = rows.value.map(async (row): Promise<SessionTile> => {
		if (!row.lastEvent) return row;
		const read = await log.read({ stream: sessionStream(row.id), after: row.lastEvent.offset - 1, limit: 1 });
		return { ...row, lastTitle: read.ok ? lastTitle(row, read.value[0]?.line) : undefined };
	});
	return ok(await Promise.all(tiles));
}

type UsageQuery = HandlerInput<Contract['record']['usage']>;

async function readUsage(rows: HubRows, { id }: KnownRunner, { by, since, until }: UsageQuery) {
	const used = await rows.usage(id, { since, until });
	if (!used.ok) return used;
	const needsTitles = by === 'session' || by === 'project';
	const sessions = needsTitles ? await rows.sessions(id, {}) : ok([]);
	if (!sessions.ok) return sessions;
	const titles = new Map<string, string>();
	for (const row of sessions.value) {
		if (by === 'session') titles.set(row.id, row.title);
		else titles.set(row.projectId, row.projectPath);
	}
	return ok({ by, since, until, ...groupUsage(used.value, by, (key) => titles.get(key)) });
}
