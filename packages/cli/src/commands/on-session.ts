// One command to a session on record, and the sentence that says what came of it.
import type { ApiClient } from '@roost/client/api-client';
import { ok, type Result } from '@roost/protocol/result';
import type { SessionRow } from '@roost/protocol/session-row';
import { fail } from '../output/exit.ts';
import { write } from '../output/write.ts';
import { connectOrStart } from '../runner/connect.ts';
import { connectOrStartToDecide } from '../runner/connect-to-decide.ts';
import { readOnRecord } from './on-record.ts';

export type SessionCommand<T> = {
	/** What it is called, where it acts for its user: then it is not for an agent that Roost governs. */
	decides?: string;
	command: (api: ApiClient, session: SessionRow) => Promise<Result<T>>;
	done: (value: T, session: SessionRow) => string;
};

export async function onSession<T>(given: string, options: { json?: boolean }, how: SessionCommand<T>): Promise<void> {
	const found = await findOnRecord(given);
	if (!found.ok) return fail(found.error, options);
	const connected = how.decides === undefined ? await connectOrStart() : await connectOrStartToDecide(how.decides);
	if (!connected.ok) return fail(connected.error, options);
	const done = await how.command(connected.value.api, found.value);
	if (!done.ok) return fail(done.error, options);
	await write(process.stdout, [options.json ? JSON.stringify(done.value) : how.done(done.value, found.value)]);
}

/** Before a runner is started for nothing. */
export async function findOnRecord(given: string): Promise<Result<SessionRow>> {
	return await readOnRecord(given, (_store, session) => ok(session));
}
