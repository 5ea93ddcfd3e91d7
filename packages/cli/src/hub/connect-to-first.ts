// The runner of a hub that the terminal UI opens on: the named one, else the one that needs the user most.
import type { RunnerRow } from '@roost/protocol/hub/runners';
import type { RunnerId } from '@roost/protocol/ids';
import { ok, type Result } from '@roost/protocol/result';
import type { Connected } from '../transport/connected.ts';
import { type HubConnection, openHubConnection, pickRunner } from './connect-hub.ts';
import type { Target } from './target.ts';

/** One runner of the hub is shown, as of these rows. */
export type ShownHub = { connection: HubConnection; shown: RunnerId; rows: readonly RunnerRow[] };

export async function connectToFirst(
	target: Target,
	env: NodeJS.ProcessEnv,
): Promise<Result<{ connected: Connected; hub: ShownHub }>> {
	const opened = openHubConnection(target.hub, 'tui', env);
	if (!opened.ok) return opened;
	const connection = opened.value;
	const listed = await connection.client.runners.list();
	if (!listed.ok) return listed;
	const rows = listed.value;
	const first = target.runner === undefined ? firstRunner(rows) : undefined;
	const picked = first ? ok(first) : pickRunner(rows, target.runner);
	if (!picked.ok) return picked;
	const { id } = picked.value;
	return ok({ connected: connection.to(id), hub: { connection, shown: id, rows } });
}

/** One with a pending request, else the most recently active one that is online, else the first; online ones come first. */
export function firstRunner(rows: readonly RunnerRow[]): RunnerRow | undefined {
	const asking = rows.filter(({ asks }) => asks > 0);
	const chosen = asking.length > 0 ? asking : rows;
	const online = chosen.filter((row) => row.online).toSorted((a, b) => activityOf(b) - activityOf(a));
	return online[0] ?? chosen[0];
}

function activityOf({ activeAt = 0 }: RunnerRow): number {
	return activeAt;
}
