// The pending requests of all runners in one list.
import type { Caller } from '@roost/gateway/access/caller';
import type { GatewayContext } from '@roost/gateway/operations/api';
import type { InboxAsk } from '@roost/protocol/hub/inbox';
import type { RunnerId } from '@roost/protocol/ids';
import { ok, type Result } from '@roost/protocol/result';
import type { KnownRunner, KnownRunners } from '../runners/known-runners.ts';
import type { HubRows } from '../store/hub-store.ts';
import { maySee } from './runner-list.ts';

export type InboxDeps = {
	runners: Pick<KnownRunners, 'list'>;
	rows: Pick<HubRows, 'asks'>;
	callerFor(caller: Caller, runner: RunnerId): Caller;
};

/** More is no list to decide from; the newest ones have the most time left. */
const MOST_LISTED = 500;

export function inboxHandlers({ runners, rows, callerFor }: InboxDeps) {
	async function asksOf({ id, row, link }: KnownRunner): Promise<Result<InboxAsk[]>> {
		const asks = await rows.asks(id, {});
		const runner = { id, name: row.name, online: link !== undefined };
		return asks.ok ? ok(asks.value.map((ask) => ({ ...ask, runner }))) : asks;
	}

	return {
		async inbox(_: object, { caller }: GatewayContext): Promise<Result<InboxAsk[]>> {
			const seen = runners.list().filter(({ id }) => maySee(callerFor(caller, id)));
			const listed: InboxAsk[] = [];
			for (const asks of await Promise.all(seen.map(asksOf))) {
				if (!asks.ok) return asks;
				listed.push(...asks.value);
			}
			return ok(listed.toSorted(byAge).slice(-MOST_LISTED));
		},
	};
}

function byAge(a: InboxAsk, b: InboxAsk): number {
	return a.openedAt - b.openedAt || a.runner.name.localeCompare(b.runner.name) || a.id.localeCompare(b.id);
}
