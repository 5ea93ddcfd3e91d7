// Requests of all runners behind a hub: listed together, and found by an id that is unique for its runner only.
import type { ApiClient } from '@roost/client/api-client';
import { AppError } from '@roost/protocol/app-error';
import type { AskRow } from '@roost/protocol/ask';
import type { InboxAsk } from '@roost/protocol/hub/inbox';
import { err, ok, type Result } from '@roost/protocol/result';
import type { HubConnection } from '../hub/connect-hub.ts';
import { matchAsks, noSuchAsk } from './find-ask.ts';

/** A request and the runner that decides it. */
export type FoundAsk = { api: ApiClient; ask: AskRow };

/** `all`: also those that were decided. */
export async function listAsksAtHub({ client, to }: HubConnection, all: boolean): Promise<Result<InboxAsk[]>> {
	if (!all) return await client.hub.inbox();
	const runners = await client.runners.list();
	if (!runners.ok) return runners;
	const listed: InboxAsk[] = [];
	for (const { id, name, online } of runners.value) {
		const asks = await to(id).api.asks.list({ all });
		if (!asks.ok) return asks;
		listed.push(...asks.value.map((ask) => ({ ...ask, runner: { id, name, online } })));
	}
	return ok(listed.toSorted((a, b) => a.openedAt - b.openedAt));
}

export async function findAskAtHub(hub: HubConnection, given: string): Promise<Result<FoundAsk>> {
	const pending = await listAsksAtHub(hub, false);
	if (!pending.ok) return pending;
	const isPending = matchAsks(pending.value, given).length > 0;
	// A decided one is found too, so that its runner says who was first.
	const listed = isPending ? pending : await listAsksAtHub(hub, true);
	if (!listed.ok) return listed;
	const picked = pickAsk(listed.value, given);
	return picked.ok ? ok({ api: hub.to(picked.value.runner.id).api, ask: picked.value }) : picked;
}

export function pickAsk(asks: readonly InboxAsk[], given: string): Result<InboxAsk> {
	const found = matchAsks(asks, given);
	const [first, ...more] = found;
	if (!first) return err(noSuchAsk(given));
	if (more.length === 0) return ok(first);
	if (more.some(({ id }) => id !== first.id))
		return err(new AppError('usage', `${found.length} requests match "${given}". Use the whole ID.`));
	const names = found.map(({ runner }) => `${runner.name} (${runner.id})`).join(', ');
	return err(new AppError('usage', `Several runners have a request "${first.id}": ${names}. Choose one with --runner.`));
}
