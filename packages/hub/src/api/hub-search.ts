// Search and usage over all runners that a caller may see.

import { groupUsage, type UsageRow } from '@roost/core/usage/group-usage';
import type { Caller } from '@roost/gateway/access/caller';
import type { GatewayContext } from '@roost/gateway/operations/api';
import type { SearchFound } from '@roost/protocol/api/search';
import type { UsageBy, UsageQuery } from '@roost/protocol/api/usage';
import type { HubFound, HubHit, HubUsageReport } from '@roost/protocol/hub/search';
import type { RunnerId } from '@roost/protocol/ids';
import { ok, type Result } from '@roost/protocol/result';
import type { KnownRunner, KnownRunners } from '../runners/known-runners.ts';
import { searchLog } from '../search/search-log.ts';
import type { HubRows, HubStore } from '../store/hub-store.ts';
import { maySee } from './runner-list.ts';

export type HubSearchDeps = {
	runners: KnownRunners;
	store: Pick<HubStore, 'rows' | 'words'>;
	callerFor(caller: Caller, runner: RunnerId): Caller;
};

export function hubSearchHandlers({ runners, store, callerFor }: HubSearchDeps) {
	const visibleTo = (caller: Caller) => runners.list().filter(({ id }) => maySee(callerFor(caller, id)));

	return {
		async search(query: { words: string; limit: number }, { caller }: GatewayContext): Promise<Result<HubFound>> {
			const searched = await ofEach(visibleTo(caller), (runner) => searchLog(store.words, runner.log, query));
			if (!searched.ok) return searched;
			const behind = searched.value.flatMap(([runner, { unsearched }]) =>
				unsearched > 0 ? [{ ...refOf(runner), events: unsearched }] : [],
			);
			return ok({ hits: mergeHits(searched.value, query.limit), behind });
		},

		async usage(query: UsageQuery, { caller }: GatewayContext): Promise<Result<HubUsageReport>> {
			const used = await ofEach(visibleTo(caller), (runner) => readRows(store.rows, runner, query));
			return used.ok ? ok(mergeUsage(used.value, query)) : used;
		},
	};
}

type OfRunner<T> = readonly [runner: KnownRunner, value: T];

async function ofEach<T>(
	runners: readonly KnownRunner[],
	read: (runner: KnownRunner) => Promise<Result<T>>,
): Promise<Result<OfRunner<T>[]>> {
	const all: OfRunner<T>[] = [];
	// One after the other: a search uses one of few connections.
	for (const runner of runners) {
		const one = await read(runner);
		if (!one.ok) return one;
		all.push([runner, one.value]);
	}
	return ok(all);
}

function refOf({ id, row }: KnownRunner) {
	return { id, name: row.name };
}

const OLDEST = Number.NEGATIVE_INFINITY;

/** Clocks differ: times only interleave the runners, and the hits of each stay in the order of its log. */
function mergeHits(searched: readonly OfRunner<SearchFound>[], limit: number): HubHit[] {
	const lists = searched.map(([runner, { hits }]) => hits.map((hit): HubHit => ({ ...hit, runner: refOf(runner) })));
	const merged: HubHit[] = [];
	while (merged.length < limit) {
		const newest = lists.reduce<HubHit[] | undefined>(
			(best, list) => ((list[0]?.ts ?? OLDEST) > (best?.[0]?.ts ?? OLDEST) ? list : best),
			undefined,
		);
		const hit = newest?.shift();
		if (!hit) return merged;
		merged.push(hit);
	}
	return merged;
}

type Used = { rows: readonly UsageRow[]; titles: ReadonlyMap<string, string> };

async function readRows(rows: HubRows, { id }: KnownRunner, { by, since, until }: UsageQuery): Promise<Result<Used>> {
	const used = await rows.usage(id, { since, until });
	if (!used.ok) return used;
	const titles = await readTitles(rows, id, by, used.value);
	return titles.ok ? ok({ rows: used.value, titles: titles.value }) : titles;
}

/** Days, agents and models need no title. */
async function readTitles(
	rows: HubRows,
	id: RunnerId,
	by: UsageBy,
	used: readonly UsageRow[],
): Promise<Result<Map<string, string>>> {
	const titles = new Map<string, string>();
	if (used.length === 0 || !isOfRunner(by)) return ok(titles);
	const sessions = await rows.sessions(id, {});
	if (!sessions.ok) return sessions;
	for (const row of sessions.value) {
		if (by === 'session') titles.set(row.id, row.title);
		else titles.set(row.projectId, row.projectPath);
	}
	return ok(titles);
}

/** Equal keys of two runners are two groups. */
function isOfRunner(by: UsageBy): boolean {
	return by === 'session' || by === 'project';
}

function mergeUsage(used: readonly OfRunner<Used>[], { by, since, until }: UsageQuery): HubUsageReport {
	const keys = new Map<string, { of: OfRunner<Used>; key: string }>();
	const rows = used.flatMap((of) => {
		const own = (key: string) => {
			const name = JSON.stringify([of[0].id, key]);
			keys.set(name, { of, key });
			return name;
		};
		return of[1].rows.map((row) => ({ ...row, sessionId: own(row.sessionId), projectId: own(row.projectId) }));
	});
	const report = groupUsage(rows, by);
	const groups = report.groups.map((group) => {
		const found = isOfRunner(by) ? keys.get(group.key) : undefined;
		if (!found) return group;
		const { of, key } = found;
		return { ...group, key, title: of[1].titles.get(key), runner: refOf(of[0]) };
	});
	return { by, since, until, ...report, groups };
}
