// The record of this machine, read beside a runner.
import { pickSession } from '@roost/core/views/pick-session';
import { sessionStream } from '@roost/protocol/ids';
import { ok, type Result } from '@roost/protocol/result';
import { loadRecord, loadSearch, loadUsage } from '../runner/open-runner.ts';
import type { RecordReader } from './reader.ts';

export async function openOwnReader(env: NodeJS.ProcessEnv): Promise<Result<RecordReader>> {
	const { openRecord } = await loadRecord();
	const opened = openRecord(env);
	if (!opened.ok) return opened;
	const store = opened.value;
	return ok({
		sessions: async (query) => store.sessions(query),
		async find(given) {
			const rows = store.sessions();
			return rows.ok ? pickSession(rows.value, given) : rows;
		},
		read: async (id, query) => store.read({ stream: sessionStream(id), ...query }),
		async search(query) {
			const hits = (await loadSearch()).findHits(store, query);
			return hits.ok ? ok({ hits: hits.value }) : hits;
		},
		usage: async (query) => (await loadUsage()).readUsage(store, query),
		[Symbol.asyncDispose]: () => store[Symbol.asyncDispose](),
	});
}
