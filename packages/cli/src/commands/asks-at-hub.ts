// Requests of all runners behind a hub: listed together, and found by an id that is unique for its runner only.
import type { ApiClient } from '@roost/client/api-client';
import { AppError } from '@roost/protocol/app-error';
import type { AskRow } from '@roost/protocol/ask';
import type { InboxAsk } from '@roost/protocol/hub/inbox';
import { err, ok, type Result } from '@roost/protocol/result';
import { openHubConnection } from '../hub/connect-hub.ts';
import type { Connected } from '../transport/connected.ts';
import { matchAsks, noSuchAsk } from './find-ask.ts';

/** A request and the runner that decides it. */
export type FoundAsk = { api: ApiClient; toShown: Connected['toShown'] | undefined; ask: AskRow };

export type AsksAtHub = {
	/** `all`: also those that were decided. */
	list(all: boolean): Promise<Result<InboxAsk[]>>;
	find(given: string): Promise<Result<FoundAsk>>;
	apiOf(ask: InboxAsk): ApiClient;
};

export function openAsksAtHub(url: string): Result<AsksAtHub> {
	const opened = openHubConnection(url, 'cli', process.env);
	if (!opened.ok) return opened;
	const { client, to } = opened.value;
	const apiOf = ({ runner }: InboxAsk) => to(runner.id).api;

	async function list(all: boolean): Promise<Result<InboxAsk[]>> {
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

	async function find(given: string): Promise<Result<FoundAsk>> {
		const pending = await list(false);
		if (!pending.ok) return pending;
		// A decided one is found too, so that its runner says who was first.
		const listed = matchAsks(pending.value, given).length > 0 ? pending : await list(true);
		if (!listed.ok) return listed;
		const picked = pickAsk(listed.value, given);
		return picked.ok ? ok({ ...pick(to(picked.value.runner.id)), ask: picked.value }) : picked;
	}

	return ok({ list, find, apiOf });
}

function pick({ api, toShown }: Connected): Omit<FoundAsk, 'ask'> {
	return { api, toShown };
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
