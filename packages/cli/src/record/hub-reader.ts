// The record of runners behind a hub: of the one that `--runner` names, else of all that the user may see.
import { foundOnHubWords } from '@roost/core/views/found-words';
import { pickSession } from '@roost/core/views/pick-session';
import type { RunnerRow } from '@roost/protocol/hub/runners';
import { type RunnerId, runnerId, type SessionId } from '@roost/protocol/ids';
import { ok, type Result } from '@roost/protocol/result';
import { type HubConnection, openHubConnection, pickRunner } from '../hub/connect-hub.ts';
import { chooseRunner, type Target } from '../hub/target.ts';
import type { RecordedLine, RecordedSession, RecordReader } from './reader.ts';

export function openHubReader({ hub, runner }: Target, env: NodeJS.ProcessEnv): Result<RecordReader> {
	const opened = openHubConnection(hub, 'cli', env);
	if (!opened.ok) return opened;
	const { client, to } = opened.value;
	/** The one that has the session that was found, for what is read next. */
	let chosen: RunnerId | undefined;

	async function listed(): Promise<Result<RunnerRow[]>> {
		const rows = await client.runners.list();
		if (!rows.ok || (runner === undefined && rows.value.length > 0)) return rows;
		const picked = pickRunner(rows.value, runner);
		return picked.ok ? ok([picked.value]) : picked;
	}

	async function sessions(): Promise<Result<RecordedSession[]>> {
		const rows = await listed();
		return rows.ok ? await sessionsOf(rows.value, to) : rows;
	}

	async function only(): Promise<Result<RunnerId>> {
		if (chosen) return ok(chosen);
		const rows = await listed();
		if (!rows.ok) return rows;
		const picked = pickRunner(rows.value, undefined);
		return picked.ok ? ok(picked.value.id) : picked;
	}

	return ok({
		sessions,
		async find(given) {
			const all = await sessions();
			const found = all.ok ? pickSession(all.value, given) : all;
			if (!found.ok) return found;
			const { runner: owner } = found.value;
			chosen = owner ? runnerId.parse(owner.id) : chosen;
			if (chosen) chooseRunner(chosen);
			return found;
		},
		async read(id, query) {
			const owner = await only();
			return owner.ok ? await readLines(to(owner.value).api, id, query) : owner;
		},
		async search(query) {
			if (runner === undefined) {
				const found = await client.hub.search(query);
				return found.ok ? ok({ hits: found.value.hits, ...noteOf(foundOnHubWords(found.value)) }) : found;
			}
			const owner = await only();
			const found = owner.ok ? await to(owner.value).api.record.search(query) : owner;
			return found.ok ? ok({ hits: found.value.hits }) : found;
		},
		async usage(query) {
			if (runner === undefined) return await client.hub.usage(query);
			const owner = await only();
			return owner.ok ? await to(owner.value).api.record.usage(query) : owner;
		},
		async [Symbol.asyncDispose]() {},
	});
}

async function sessionsOf(runners: readonly RunnerRow[], to: HubConnection['to']): Promise<Result<RecordedSession[]>> {
	const all: RecordedSession[] = [];
	for (const { id, name } of runners) {
		const rows = await to(id).api.record.sessions({});
		if (!rows.ok) return rows;
		all.push(...rows.value.map((row) => ({ ...row, runner: { id, name } })));
	}
	return ok(all.toSorted((a, b) => b.startedAt - a.startedAt));
}

async function readLines(
	{ feed }: ReturnType<HubConnection['to']>['api'],
	id: SessionId,
	query: { after: number; limit: number },
): Promise<Result<RecordedLine[]>> {
	const text = await feed.lines({ id, ...query });
	if (!text.ok) return text;
	const lines = text.value === '' ? [] : text.value.replace(/\n$/, '').split('\n');
	// Offsets of a stream are contiguous.
	return ok(lines.map((line, at) => ({ offset: query.after + at + 1, line })));
}

function noteOf(words: string | undefined): { note?: string } {
	return words === undefined || words === '' ? {} : { note: words };
}
