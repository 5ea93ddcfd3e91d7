// The runners of a hub as people see them: only those that they have a role on.
import type { Caller } from '@roost/gateway/access/caller';
import type { GatewayContext } from '@roost/gateway/operations/api';
import type { RunnerRow } from '@roost/protocol/hub/runners';
import type { RunnerId } from '@roost/protocol/ids';
import { ok, type Result } from '@roost/protocol/result';
import type { KnownRunner, KnownRunners } from '../runners/known-runners.ts';
import type { HubRows } from '../store/hub-store.ts';

export type RunnerListDeps = {
	runners: KnownRunners;
	rows: Pick<HubRows, 'sessions' | 'asks'>;
	callerFor(caller: Caller, runner: RunnerId): Caller;
};

export function runnerListHandlers({ runners, rows, callerFor }: RunnerListDeps) {
	async function toRow(runner: KnownRunner): Promise<Result<RunnerRow>> {
		const [working, newest, asks] = await Promise.all([
			rows.sessions(runner.id, { status: 'working' }),
			rows.sessions(runner.id, { limit: 1 }),
			rows.asks(runner.id, {}),
		]);
		if (!working.ok) return working;
		if (!newest.ok) return newest;
		if (!asks.ok) return asks;
		const { id, row, since, isOnline, accepts } = runner;
		const { name, version, owner, publicKey } = row;
		const counts = { asks: asks.value.length, working: working.value.length };
		const events = [...working.value, ...newest.value].map(({ lastEventAt }) => lastEventAt);
		const active = events.length > 0 ? { activeAt: Math.max(...events) } : {};
		return ok({ id, name, version, owner, online: isOnline, since, publicKey, accepts, ...counts, ...active });
	}

	return {
		async list(_: object, { caller }: GatewayContext): Promise<Result<RunnerRow[]>> {
			const seen = runners.list().filter(({ id }) => maySee(callerFor(caller, id)));
			const listed: RunnerRow[] = [];
			for (const row of await Promise.all(seen.map(toRow))) {
				if (!row.ok) return row;
				listed.push(row.value);
			}
			return ok(listed.toSorted((a, b) => a.name.localeCompare(b.name)));
		},
	};
}

export function maySee({ roles }: Caller): boolean {
	return roles.includes('view');
}
