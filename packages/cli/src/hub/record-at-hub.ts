// The record of a runner behind a hub, for commands that read the record of this machine from its file.
import type { ApiClient } from '@roost/client/api-client';
import { AppError } from '@roost/protocol/app-error';
import type { SessionId } from '@roost/protocol/ids';
import { err, ok, type Result } from '@roost/protocol/result';
import type { SessionRow } from '@roost/protocol/session-row';
import { connectThroughHub } from './connect-hub.ts';
import { currentTarget } from './target.ts';

/** Null where the command is about this machine. */
export async function openRecordAtHub(): Promise<Result<ApiClient | null>> {
	const target = currentTarget();
	if (!target) return ok(null);
	const connected = await connectThroughHub(target, 'cli', process.env);
	return connected.ok ? ok(connected.value.api) : connected;
}

/** `given`: session ID or a prefix of it. */
export async function findSessionAtHub(api: ApiClient, given: string): Promise<Result<SessionRow>> {
	const listed = await api.record.sessions({});
	if (!listed.ok) return listed;
	const exact = listed.value.filter(({ id }) => id === given);
	const found = exact.length > 0 ? exact : listed.value.filter(({ id }) => id.startsWith(given));
	const [only] = found;
	if (found.length === 1 && only) return ok(only);
	const problem = found.length === 0 ? `Session "${given}" not found` : `"${given}" is the beginning of several sessions`;
	return err(new AppError('not_found', `${problem}. Run "roost --hub <url> sessions" to list the sessions of this runner.`));
}

const PAGE = 1_000;

/** The stored lines of a session, as they were stored. */
export async function* readLinesAtHub(api: ApiClient, id: SessionId, after: number): AsyncGenerator<Result<string[]>> {
	for (let last = after; ; ) {
		const page = await api.feed.lines({ id, after: last, limit: PAGE });
		if (!page.ok) {
			yield page;
			return;
		}
		const lines = page.value.split('\n').filter((line) => line !== '');
		if (lines.length === 0) return;
		yield ok(lines);
		// Offsets are contiguous.
		last += lines.length;
		if (lines.length < PAGE) return;
	}
}
